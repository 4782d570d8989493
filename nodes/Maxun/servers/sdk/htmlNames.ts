const setOf = (text: string) => new Set(text.trim().split(/\s+/));

/** HTML attributes whose values CSS compares without case. */
export const WITHOUT_CASE = setOf(`
	accept accept-charset align alink axis bgcolor charset checked clear codetype color compact
	declare defer dir direction disabled enctype face frame hreflang http-equiv lang language link
	media method multiple nohref noresize noshade nowrap readonly rel rev rules scope scrolling
	selected shape target text type valign valuetype vlink
`);

/** Elements that aren't HTML's own. */
export const SVG_TAGS = setOf(`
	svg g path use defs symbol circle ellipse line polygon polyline rect text tspan image mask
	clippath lineargradient radialgradient stop foreignobject desc marker pattern
`);

/** The pseudo-classes of CSS that XPath can't express. */
export const STATES = setOf(`
	active autofill checked default defined dir disabled enabled focus focus-visible focus-within
	fullscreen hover in-range indeterminate invalid lang modal open optional out-of-range
	placeholder-shown popover-open read-only read-write required target user-invalid user-valid
	valid visited
`);

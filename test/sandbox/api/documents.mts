import { z } from 'zod';
import { badRequest, parse } from '../errors.mts';
import { schemaFromPrompt } from '../engine/documents.mts';
import { newRobot } from '../factory.mts';
import { robotView } from '../views.mts';
import type { World } from '../world.mts';
import { addRobot } from './create.mts';
import { name } from './fields.mts';
import { type Form, readForm, type UploadedFile } from './form.mts';
import { findRobot, touchRobot } from './lookup.mts';
import { type Add, FORM_BODY } from './route.mts';

export const PARSE_FORMATS = ['markdown', 'html', 'links', 'summary'] as const;

const prompt = z.string().trim().min(1, 'must not be empty');
const extractFields = z.object({ prompt, name: name.optional() });
const parseFields = z.object({
	name: name.optional(),
	outputFormats: z.array(z.enum(PARSE_FORMATS)).min(1).default(['markdown']),
});
const promptBody = z.object({ prompt }).strict();

export function documentRoutes(add: Add, world: World): void {
	add(
		['POST', '/robots/document-extract', { status: 201, body: FORM_BODY }],
		({ caller, parts }) => {
			const form = readForm(parts, ['prompt', 'name']);
			const fields = parse(extractFields, singles(form));
			const robot = newRobot(caller, {
				type: 'doc-extract',
				name: fields.name ?? `Document Extract - ${form.file.filename}`,
				prompt: fields.prompt,
				extractionSchema: schemaFor(fields.prompt),
				document: documentOf(form.file),
			});
			return addRobot(world, caller, robot);
		},
	);
	add(['POST', '/robots/document-parse', { status: 201, body: FORM_BODY }], ({ caller, parts }) => {
		const form = readForm(parts, ['name', 'outputFormats']);
		const { outputFormats } = form.fields;
		const fields = parse(parseFields, { name: singles(form).name, outputFormats });
		const robot = newRobot(caller, {
			type: 'doc-parse',
			name: fields.name ?? `Document Parse - ${form.file.filename}`,
			formats: fields.outputFormats,
			document: documentOf(form.file),
		});
		return addRobot(world, caller, robot);
	});
	changeRoutes(add, world);
}

function changeRoutes(add: Add, world: World): void {
	add(['PUT', '/robots/:id/document', { body: FORM_BODY }], (call) => {
		const robot = findRobot(world, call, 'robots');
		if (robot.document === null) throw badRequest('The robot is not a document robot');
		const { file } = readForm(call.parts, []);
		robot.document = documentOf(file);
		touchRobot(world, robot);
		return robotView(robot);
	});
	add(['PATCH', '/robots/:id/document-prompt', { body: promptBody }], (call) => {
		const robot = findRobot(world, call, 'robots');
		if (robot.type !== 'doc-extract') {
			throw badRequest('The robot is not a document extract robot');
		}
		robot.prompt = call.body.prompt;
		robot.extractionSchema = schemaFor(call.body.prompt);
		touchRobot(world, robot);
		return robotView(robot);
	});
}

export const documentOf = ({ filename, contentType, content }: UploadedFile) => ({
	content: content.toString('base64'),
	filename,
	contentType,
});

export function schemaFor(text: string): Record<string, unknown> {
	const schema = schemaFromPrompt(text);
	if (Object.keys(schema.properties).length === 0) {
		throw badRequest('"prompt" names no field to extract');
	}
	return schema;
}

function singles({ fields }: Form): Record<string, string | undefined> {
	const entries = Object.entries(fields).filter(([field]) => field !== 'outputFormats');
	const repeated = entries.find(([, values]) => values.length > 1);
	if (repeated !== undefined) throw badRequest(`"${repeated[0]}" is given more than once`);
	return Object.fromEntries(entries.map(([field, values]) => [field, values[0]]));
}

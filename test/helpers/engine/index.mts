export { loadPackage, ACTION_NODE, TOOL_NODE, TRIGGER_NODE } from './package.mts';
export { execute, type ExecuteOptions, type Execution } from './execute.mts';
export { listSearch, loadOptions, mapperFields } from './lookups.mts';
export { TriggerHost, type Delivery, type TriggerOptions } from './trigger.mts';
export { WaitingHost, type WaitingOptions } from './waiting.mts';
export { executeAsTool } from './tool.mts';
export { StaticData } from './static-data.mts';
export { credentialTest } from './credential-test.mts';

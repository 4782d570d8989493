export { instant, newestFirst } from './dates';
export { payloadOf, saysFailure } from './envelope';
export { explain, isMissingRoute } from './explain';

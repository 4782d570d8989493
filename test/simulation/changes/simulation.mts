export { history } from './history.mts';
export { play } from './play.mts';

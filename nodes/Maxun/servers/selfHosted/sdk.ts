import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { path } from '../../http/request';
import { AnyObject } from '../entities';
import type { ServerConnection } from '../types';

// Further routes below /sdk, which the vendor's own library uses. They return a robot as the server stores it, and
// accept a schedule or webhooks for it, for which earlier versions have no documented route.

/** A robot as the server stores it: the parts that the node uses. */
const StoredRobot = z.object({
	schedule: AnyObject.nullish(),
	webhooks: z.array(AnyObject).nullish(),
});
type StoredRobot = z.output<typeof StoredRobot>;

export const readStoredRobot = async (
	{ send }: ServerConnection,
	robotId: string,
): Promise<StoredRobot> =>
	await send({ method: 'GET', path: path`/sdk/robots/${robotId}` }, StoredRobot);

/** Changes a robot; each part that is sent replaces the existing one as a whole. */
export const updateStoredRobot = async (
	{ send }: ServerConnection,
	robotId: string,
	body: { schedule: IDataObject | null } | { webhooks: IDataObject[] },
): Promise<StoredRobot> =>
	await send({ method: 'PUT', path: path`/sdk/robots/${robotId}`, body }, StoredRobot);

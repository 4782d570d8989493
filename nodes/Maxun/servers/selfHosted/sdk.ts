import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { path } from '../../http/request';
import { AnyObject } from '../entities';
import type { ServerConnection } from '../types';

// Routes below /sdk, which Maxun's own SDK uses. They return a robot as stored, and accept its schedule or webhooks.
// Earlier versions have no documented routes for these.

/** A robot as the server stores it: the parts that the node uses. */
const StoredRobot = z.object({
	schedule: AnyObject.nullish(),
	webhooks: z.array(AnyObject).nullish(),
});
type StoredRobot = z.output<typeof StoredRobot>;

export const readStoredRobot = async (
	api: ServerConnection,
	robotId: string,
): Promise<StoredRobot> => await api.get(path`/sdk/robots/${robotId}`, StoredRobot);

/** Changes a robot. Each part that is sent replaces the whole existing part. */
export const updateStoredRobot = async (
	api: ServerConnection,
	robotId: string,
	body: { schedule: IDataObject | null } | { webhooks: IDataObject[] },
): Promise<StoredRobot> => await api.put(path`/sdk/robots/${robotId}`, StoredRobot, body);

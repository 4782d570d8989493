import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { Anything } from '../entities';
import { path, type ApiRequest } from '../request';

// Servers have further routes below /sdk, for the vendor's own library. They show a robot as the server stores it,
// and take a schedule or webhooks for it, of which the documented routes know nothing on earlier versions.

/** A robot as the server stores it: what the node uses of it. */
export const StoredRobot = z.object({
	schedule: Anything.nullish(),
	webhooks: z.array(Anything).nullish(),
});
export type StoredRobot = z.output<typeof StoredRobot>;

export const getStoredRobot = (robotId: string): ApiRequest => ({
	method: 'GET',
	path: path`/sdk/robots/${robotId}`,
});

/** Changes a robot; what is named replaces what is there, as a whole. */
export const updateStoredRobot = (
	robotId: string,
	body: { schedule: IDataObject | null } | { webhooks: IDataObject[] },
): ApiRequest => ({ method: 'PUT', path: path`/sdk/robots/${robotId}`, body });

import { agentCases } from './cases/agents.mts';
import { documentCases } from './cases/documents.mts';
import { monitoringCases } from './cases/monitoring.mts';
import { robotCases } from './cases/robots.mts';
import { runCases } from './cases/runs.mts';
import { webCases } from './cases/web.mts';
import { webhookCases } from './cases/webhooks.mts';
import type { Case } from './contract.mts';

export const cases: Case[] = [
	...robotCases,
	...runCases,
	...webhookCases,
	...agentCases,
	...webCases,
	...monitoringCases,
	...documentCases,
];

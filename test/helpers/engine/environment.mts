/** What n8n-core needs when it is loaded; import this before it. Its settings folder is set in folder.mts. */
import 'reflect-metadata';

process.env.N8N_LOG_LEVEL ??= 'silent';

/** Variables that n8n-core needs. Import this before n8n-core. folder.mts sets the settings folder. */
import 'reflect-metadata';

process.env.N8N_LOG_LEVEL ??= 'silent';

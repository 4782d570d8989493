import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { ApiRequest, ResponseSchema } from './request';

export abstract class Sender {
	abstract send<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<T>;

	async get<T>(path: string, schema: ResponseSchema<T>, query?: IDataObject): Promise<T> {
		return await this.send({ method: 'GET', path, query }, schema);
	}

	async post<T>(path: string, schema: ResponseSchema<T>, body?: ApiRequest['body']): Promise<T> {
		return await this.send({ method: 'POST', path, body }, schema);
	}

	async put<T>(path: string, schema: ResponseSchema<T>, body: ApiRequest['body']): Promise<T> {
		return await this.send({ method: 'PUT', path, body }, schema);
	}

	async patch<T>(path: string, schema: ResponseSchema<T>, body: IDataObject): Promise<T> {
		return await this.send({ method: 'PATCH', path, body }, schema);
	}

	async delete(path: string): Promise<void> {
		await this.send({ method: 'DELETE', path }, z.unknown());
	}
}

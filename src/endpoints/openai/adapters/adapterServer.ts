/** Which of the calls for adapters a server knows, by its kind. */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../endpointError.ts';
import type { AdapterCalls } from './adapterCalls.ts';
import type { Connection } from '../connection.ts';
import { kindOf, modelsOf, servedModel } from '../serverKind.ts';
import { SglangAdapters } from './sglangAdapters.ts';
import { VllmAdapters } from './vllmAdapters.ts';

/** @throws EndpointError `unable` where the server takes none while it runs */
export async function adapterCallsOf(connection: Connection, base: string, signal: AbortSignal): Promise<AdapterCalls> {
  const models = await modelsOf(connection, signal);
  const { kind } = await kindOf(connection, servedModel(models, base) ?? models[0], signal);
  const { url } = connection.http;
  const facts = { endpoint: url, request: 'GET /models', attempts: 1 };
  if (models.length > 0 && servedModel(models, base) === undefined) {
    throw new EndpointError('unable', l10n.t('it does not serve the model "{0}" that the adapters belong to', base), {
      ...facts,
      remedy: l10n.t('It serves {0}.', models.map(({ id }) => id).join(', ')),
    });
  }
  if (kind === 'vllm') return VllmAdapters.open(connection, base, signal);
  if (kind === 'sglang') return new SglangAdapters(connection, base);
  throw new EndpointError('unable', l10n.t('it takes no adapters while it runs'), {
    ...facts,
    remedy: l10n.t('Sample what was trained from vLLM or SGLang.'),
  });
}

/** The attributes of a model call's span, by OpenTelemetry's names for generative AI. */
import { countOf } from '../../engine/turn.ts';
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Attributes } from './span.ts';
import type { ModelCall } from './watchedPorts.ts';

/** Characters of a text beyond which it is cut. */
const longest = 64_000;

const providers = { embedded: 'genenv.embedded', tinker: 'genenv.tinker', openai: 'openai', verl: 'genenv.verl' };

export const modelOf = (endpoint: Endpoint, version: string): string =>
  'model' in endpoint && typeof endpoint.model === 'string' ? endpoint.model : version;

export function callAttributes(
  { request, answer, version }: ModelCall,
  endpoint: Endpoint,
  content: boolean,
): Attributes {
  const { temperature, maxTokens, seed } = request;
  const common: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providers[endpoint.kind],
    'gen_ai.request.model': modelOf(endpoint, version),
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.max_tokens': maxTokens,
    'gen_ai.request.seed': seed,
    ...serverOf(endpoint),
    'genenv.policy.version': version,
    ...(content && { 'gen_ai.input.messages': messagesText(request.messages) }),
  };
  if (!('text' in answer)) return { ...common, 'error.type': 'endpoint' };
  const { stopReason, text, reasoning } = answer;
  const { prompt, answer: sampled } = countOf(answer);
  return {
    ...common,
    'gen_ai.usage.input_tokens': prompt,
    'gen_ai.usage.output_tokens': sampled,
    'gen_ai.response.finish_reasons': [stopReason],
    ...(content && {
      'gen_ai.output.messages': messagesText(
        [{ role: 'assistant', content: text, ...(reasoning !== undefined && { reasoning }) }],
        stopReason,
      ),
    }),
  };
}

function serverOf(endpoint: Endpoint): Attributes {
  if (!('url' in endpoint)) return {};
  const [first = ''] = endpoint.url.split(/[\s,]+/);
  if (!URL.canParse(first)) return {};
  const { hostname, port, protocol } = new URL(first);
  return { 'server.address': hostname, 'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** The conventions' JSON of messages; texts of great length are cut. */
export const messagesText = (messages: readonly Message[], finish?: string): string =>
  JSON.stringify(
    messages.map(({ role, content, reasoning, name }) => ({
      role,
      ...(name !== undefined && { name }),
      parts: [
        ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: cut(reasoning) }]),
        { type: 'text', content: cut(content) },
      ],
      ...(finish !== undefined && { finish_reason: finish }),
    })),
  );

export const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

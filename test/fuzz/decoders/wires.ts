/** Messages of servers and pages. */
import { isDeepStrictEqual } from 'node:util';
import { ChatTokens } from '../../../src/endpoints/tokens/chatTokens.ts';
import { jsonOf } from '../../../src/endpoints/http/json.ts';
import { apart } from '../../../src/shared/text/thoughts.ts';
import { chatSchema, completionSchema, modelsSchema } from '../../../src/endpoints/openai/wire.ts';
import * as replies from '../../../src/endpoints/tinker/wire/replies.ts';
import {
  decodeSampleResult,
  encodeSampleResult,
  sampleResultSchema,
} from '../../../src/endpoints/tinker/wire/sampling.ts';
import {
  decodeTrainRequest,
  decodeTrainResult,
  encodeTrainResult,
  trainRequestSchema,
  trainResultSchema,
} from '../../../src/endpoints/tinker/wire/training.ts';
import { FrameReader } from '../../../src/endpoints/http/webSocket/frames.ts';
import * as ray from '../../../src/endpoints/verl/launchers/rayReplies.ts';
import { parseOrUndefined } from '../../../src/shared/json.ts';
import { Channel } from '../../../src/shared/rpc/channel.ts';
import { edit } from '../../../src/features/adapter/contract.ts';
import { frame } from '../../support/ray/fakeTail.ts';
import { bytePairTokenizer, chatTemplate } from '../../support/tokens/smallTokenizer.ts';
import { Broken, isOurs, type Decoder } from '../decoder.ts';
import type * as z from 'zod';

/** Each schema tries the same body: one of them throws for most. */
function each(schemas: readonly z.ZodType[], input: string): unknown[] {
  const read: unknown[] = [];
  for (const schema of schemas) {
    try {
      read.push(jsonOf({ status: 200, headers: {}, body: Buffer.from(input) }, schema));
    } catch (error) {
      if (!isOurs(error)) throw error;
    }
  }
  return read;
}

const bytes = (input: string): Uint8Array => Buffer.from(input, 'latin1');
const text = (made: Uint8Array): string => Buffer.from(made).toString('latin1');
const { tokenizer, config } = bytePairTokenizer();

export const wires: Record<string, Decoder> = {
  openai: {
    seeds: [
      '{"choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop","logprobs":{"content":[{"token":"a","logprob":-1}]}}],"usage":{"prompt_tokens":1}}',
      '{"data":[{"id":"m","max_model_len":10}]}',
      '{"choices":[{"text":"a","finish_reason":"length","logprobs":{"tokens":["a"],"token_logprobs":[null]}}]}',
    ],
    tokens: ['"choices"', '"token_ids"', '"logprobs"', '"finish_reason"', '"reasoning_content"', '<think>', '</think>'],
    decode: (input) => [each([chatSchema, completionSchema, modelsSchema], input), apart(input, null)],
  },
  tinker: {
    seeds: [
      '{"session_id":"a"}',
      '{"request_id":1}',
      '{"type":"try_again","queue_state":"paused"}',
      '{"sequences":[{"tokens":[1],"logprobs":[-1],"stop_reason":"stop"}]}',
    ],
    tokens: ['"loss_fn_outputs"', '"metrics"', '"category"', '"supported_models"', '"prompt_logprobs"', '"path"'],
    decode: (input) =>
      each([...Object.values(replies), sampleResultSchema, trainResultSchema, trainRequestSchema], input),
  },
  ray: {
    seeds: ['{"status":"RUNNING","message":null}', '{"submission_id":"a"}', '{"version":"1","ray_version":"2.9.0"}'],
    tokens: ['"logs"', '"stopped"', '"FAILED"', '"driver_exit_code"'],
    decode: (input) => each(Object.values(ray), input),
  },
  webSocket: {
    seeds: [
      text(Buffer.concat([frame(1, Buffer.from('one\n')), frame(8, Buffer.from([3, 232]))])),
      text(
        Buffer.concat([
          frame(1, Buffer.from('o'), { last: false }),
          frame(9, Buffer.alloc(3)),
          frame(0, Buffer.from('ne')),
        ]),
      ),
      text(frame(1, Buffer.alloc(300, 'm'))),
    ],
    decode: (input) => {
      const all = Buffer.from(bytes(input));
      const whole = [...new FrameReader(1000).read(all)];
      const reader = new FrameReader(1000);
      const apart = Array.from(all, (_, i) => [...reader.read(all.subarray(i, i + 1))]).flat();
      if (!isDeepStrictEqual(whole, apart)) throw new Broken('pieces made another message');
      return whole;
    },
  },
  sampleBytes: {
    seeds: [
      text(
        encodeSampleResult({
          sequences: [{ tokens: [1, 2], logprobs: [-1, -2], stopReason: 'stop' }],
          promptLogprobs: null,
        }),
      ),
    ],
    decode: (input) => decodeSampleResult(bytes(input)),
  },
  trainBytes: {
    seeds: [text(encodeTrainResult({ logprobs: [[-1, -2]], metrics: { loss: 1 } }))],
    decode(input) {
      const read = decodeTrainResult(bytes(input));
      const again = decodeTrainResult(encodeTrainResult(read));
      if (JSON.stringify(again) !== JSON.stringify(read)) throw new Broken(JSON.stringify([read, again]));
      return read;
    },
  },
  trainRequestBytes: { seeds: ['\n\u0002\b\u0001'], decode: (input) => decodeTrainRequest(bytes(input)) },
  tokenizer: {
    seeds: [JSON.stringify(tokenizer)],
    tokens: [
      '"model"',
      '"pre_tokenizer"',
      '"Split"',
      '"Regex"',
      '"normalizer"',
      '"added_tokens"',
      '"merges"',
      '"vocab"',
      '"BPE"',
    ],
    decode(input) {
      const read = parseOrUndefined(input);
      if (typeof read !== 'object' || read === null) return null;
      const tokens = new ChatTokens({ tokenizer: { ...read }, config, template: chatTemplate, source: 'x' });
      return tokens.decode(tokens.prompt([{ role: 'user', content: 'Hello, wörld 😀 12' }]));
    },
    share: 20,
  },
  rpc: {
    seeds: [
      '{"kind":"hello","answer":true}',
      '{"kind":"call","id":1,"name":"edit","params":[]}',
      '{"kind":"failure","id":1,"error":{}}',
      '{"kind":"cancel","id":1}',
    ],
    tokens: ['"kind"', '"result"', '"event"', '"params"', '"name"', '"value"'],
    decode(input) {
      let receive: (message: unknown) => void = () => undefined;
      const errors: Error[] = [];
      const channel = new Channel(
        { post: () => undefined, listen: (told) => ((receive = told), () => undefined) },
        { onError: (error) => errors.push(error) },
      );
      channel.handle(edit, () => null);
      receive(parseOrUndefined(input) ?? input);
      channel.dispose();
      return errors.length;
    },
  },
};

/** The address of programs, asked by the real Python package `openai`; its TypeScript twin is in test/unit/domains. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { Calls } from '../../src/domains/programs/calls.ts';
import { Door } from '../../src/domains/programs/door.ts';
import type { Question } from '../../src/engine/leader.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { skip } from '../support/skip.ts';
import { eventually } from '../support/until.ts';

const script = `
import asyncio, json, openai

user = lambda text: {"role": "user", "content": text}
tool = {"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {}}}}
told = {}
client = openai.OpenAI(max_retries=0)
ask = lambda text, **more: client.chat.completions.create(model="agent", messages=[user(text)], **more)

whole = ask("whole", logprobs=True, extra_body={"return_token_ids": True})
told["whole"] = [[token.token, token.logprob] for token in whole.choices[0].logprobs.content]
told["ids"] = [whole.prompt_token_ids, whole.choices[0].token_ids]
pieces = list(ask("stream", stream=True, stream_options={"include_usage": True}))
told["stream"] = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
told["usage"] = pieces[-1].usage.completion_tokens
with client.chat.completions.stream(model="agent", messages=[user("tools")], tools=[tool]) as stream:
    calls = stream.get_final_completion().choices[0].message.tool_calls
told["calls"] = [[call.function.name, json.loads(call.function.arguments)] for call in calls]
told["n"] = [choice.message.content for choice in ask("n", n=2).choices]
try:
    ask("shape", response_format={"type": "json_object"})
except openai.BadRequestError as error:
    told["refused"] = error.message


async def parallel():
    many = openai.AsyncOpenAI(max_retries=0)
    ask = lambda text: many.chat.completions.create(model="agent", messages=[user(text)])
    answers = await asyncio.gather(*(ask(f"one {i}") for i in range(16)))
    told["parallel"] = [answer.choices[0].message.content for answer in answers]
    waiting = asyncio.create_task(ask("cancel"))
    await asyncio.sleep(0.5)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    told["cancelled"] = waiting.cancelled()


asyncio.run(parallel())
print(json.dumps(told))
`;

const calls = '<tool_call>{"name": "add", "arguments": {"a": 1}}</tool_call>';

describe('the address where programs ask the agent, asked by Python’s openai', function () {
  this.timeout(300_000);
  let python = '';
  before(async function () {
    this.timeout(600_000);
    const found = await peerPython('openai');
    if ('why' in found) skip(this, `openai for Python cannot be installed: ${found.why}`);
    python = found.python;
  });

  it('answers whole and streamed, with tools, side by side, n at once, and gives up what is cancelled', async () => {
    const door = await Door.open();
    const asked: Question[] = [];
    const answers = (question: Question): string => {
      const said = question.messages.at(-1)?.content ?? '';
      return said === 'tools' ? `${calls}\n${calls.replace('1', '2')}` : `${said}, ${'é🙂'.repeat(60)}`;
    };
    const never = new Promise<never>(() => undefined);
    const guest = new Calls((question) => {
      asked.push(question);
      if (question.messages.at(-1)?.content === 'cancel') return never;
      const given = { requestId: 'r', promptTokens: [1, 2], tokens: [4, 5], logprobs: [-0.5, -1.25] };
      const text = answers(question);
      return Promise.resolve(
        Array.from({ length: question.n }, (_, index) => ({ ...given, index, text, stopReason: 'stop' as const })),
      );
    });
    const { key } = door.admit((body, gone) => guest.answer(body, gone));
    try {
      const env = { ...process.env, OPENAI_BASE_URL: door.url, OPENAI_API_KEY: key };
      const { stdout } = await promisify(execFile)(python, ['-c', script], { env });
      const text = (said: string): string => `${said}, ${'é🙂'.repeat(60)}`;
      const { refused, ...told } = z.looseObject({ refused: z.string() }).parse(JSON.parse(stdout));
      assert.deepEqual(told, {
        whole: [
          ['token_id:4', -0.5],
          ['token_id:5', -1.25],
        ],
        ids: [
          [1, 2],
          [4, 5],
        ],
        ...{ stream: text('stream'), usage: 2, n: [text('n'), text('n')], cancelled: true },
        calls: [
          ['add', { a: 1 }],
          ['add', { a: 2 }],
        ],
        parallel: Array.from({ length: 16 }, (_, i) => text(`one ${i}`)),
      });
      assert.match(refused, /the agent writes text as it likes/);
      await eventually(async () => assert.equal(await Promise.resolve(asked.at(-1)?.signal.aborted), true));
    } finally {
      door.close();
    }
  });
});

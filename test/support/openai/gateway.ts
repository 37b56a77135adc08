/** A gateway in front of another server: it passes the common calls on and tells nothing but texts. */
import * as z from 'zod';
import { sendJson, TestServer } from '../endpoints/httpServer.ts';

const answerSchema = z.looseObject({
  choices: z.array(z.looseObject({ message: z.object({ role: z.string(), content: z.string() }) })).optional(),
});

export function startGateway(to: string): Promise<TestServer> {
  return TestServer.start((response, { path, method, body }) => {
    if (path !== '/v1/chat/completions') {
      sendJson(response, { error: 'no such call' }, 404);
      return;
    }
    const ask = async () => {
      const answer = await fetch(to + path, { method, body });
      const told = answerSchema.parse(await answer.json());
      const choices = told.choices?.map(({ index, message, finish_reason }) => ({ index, message, finish_reason }));
      sendJson(response, choices === undefined ? told : { choices }, answer.status);
    };
    ask().catch((error: unknown) => sendJson(response, { error: String(error) }, 502));
  });
}

/** Lines of a byte stream, whatever its pieces: a character may be cut anywhere. */
import { BrokenExchange } from './exchange.ts';

const longestLine = 16 * 1024 * 1024;

export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new BrokenExchange('size', 'a line without end');
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  rest += decoder.decode();
  if (rest !== '') yield rest.replace(/\r$/, '');
}

/** The extension host, seen from a page: one channel, and state that survives being hidden and reloaded. */
import type * as z from 'zod';
import { Channel } from '../../src/shared/rpc/channel.ts';
import './colours/ownColours.ts';

const api = acquireVsCodeApi();

/** @param onError shows a message that could not be used */
export function connect(onError: (error: Error) => void): Channel {
  return new Channel(
    {
      post: (message) => api.postMessage(message),
      listen: (receive) => {
        const take = ({ data }: MessageEvent<unknown>): void => receive(data);
        window.addEventListener('message', take);
        return () => window.removeEventListener('message', take);
      },
    },
    { onError },
  );
}

/** Navigation and selection only: data always comes fresh from the host. Undefined when there is none or it is old. */
export function restore<S extends z.ZodType>(schema: S): z.output<S> | undefined {
  const parsed = schema.safeParse(api.getState());
  return parsed.success ? parsed.data : undefined;
}

export const keep = (state: unknown): void => api.setState(state);

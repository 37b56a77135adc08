import { usualSockets } from '../../endpoints/http/nodeHttpClient.ts';

/** Questions beside those that are counted: is it there, how busy is it. */
const beside = 16;

/** Connections to one address that answers so many questions at once; null: it is found while running. */
export const socketsFor = (inFlight: number | null): number => Math.max(4 * usualSockets, (inFlight ?? 0) + beside);

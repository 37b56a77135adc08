/** Digest of a member's settings, equal for a plan's experiment and for that of a run.json. */
import { sha256 } from '../../../runs/files/sha256.ts';

const laterNulls = [
  ...['cost', 'hours', 'embeddingUrl', 'embeddingModel', 'embeddingKey'],
  ...['pricePerHour', 'pricePrompt', 'priceSampled', 'priceTrained'],
];

/** Settings that later releases added, each with its value while it is off. */
const laterOff = new Map<string, unknown>([
  ...laterNulls.map((name) => [name, null] as const),
  ...([
    ['editShare', 0],
    ['taskSeed', 0],
    ['order', 'drawn'],
    ['cutOff', 'off'],
    ['spare', 0],
    ['late', 0],
    ['stream', false],
  ] as const),
]);

/**
 * SHA-256 in hex of the settings in the order in which they stand. Settings that later releases added count only where
 * they are on, so folders of earlier releases keep the digests of their members.
 *
 * @param experiment a resolved experiment, or its JSON as `run.json` has it
 */
export const settingsDigest = (experiment: unknown): string => sha256(JSON.stringify(experiment, withoutLater));

function withoutLater(key: string, value: unknown): unknown {
  if (laterOff.has(key) && laterOff.get(key) === value) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (key === 'crossPlay') return 'every' in value && value.every === 0 ? undefined : value;
  if (key === 'control') return 'kind' in value && value.kind === 'off' ? undefined : value;
  if (key !== 'reward' || !('kind' in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => name !== 'file' || one !== null));
}

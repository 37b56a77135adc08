/** The server that `genenv evaluate --url URL --model NAME` names. */
import { addressesText } from '../../../launch/access/address.ts';
import { livingAt } from '../node/openRequest.ts';
import type { PolicyChoice } from '../node/openChoice.ts';
import { endpointDefaults, endpointSchema } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Arguments } from '../../../cli/commandLine.ts';
import { UsageError } from '../../../cli/usageError.ts';

const options = ['url', 'model', 'key'];

/** Null where none is named. @throws UsageError */
export function serverOf(given: Arguments): PolicyChoice | null {
  const [url, model, key] = options.map((option) => given.text(option));
  if (url == null) {
    const alone = options.find((option) => given.has(option));
    if (alone !== undefined) throw new UsageError(`--${alone} is of a server.`, 'Give --url URL with it.');
    return null;
  }
  if (model == null) throw new UsageError('--url needs --model NAME.', 'genenv doctor URL --kind openai lists models.');
  const endpoint = endpointSchema.safeParse({ ...endpointDefaults.openai, url, model, key });
  // The key may be one itself: it is not repeated.
  if (!endpoint.success) throw new UsageError(endpoint.error.issues[0]?.message ?? '', '');
  const places = addressesText(url);
  return livingAt(`${model} at ${places.map(({ text }) => text).join(', ')}`, endpoint.data);
}

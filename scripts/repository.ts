/** The project's address, `repository` in package.json: without one a package's page can link to nothing of the project. */
import { posix } from 'node:path';
import * as z from 'zod';

export interface Repository {
  /** Its page, without a slash at the end. */
  url: string;
  homepage: string;
  bugs: { url: string };
}

const addressSchema = z
  .union([z.string(), z.looseObject({ url: z.string() }).transform(({ url }) => url)])
  .transform((url) => url.replace(/^git\+/, '').replace(/(?:\.git)?\/*$/, ''))
  .pipe(z.url({ protocol: /^https$/, error: 'give "repository" as the https address of its page' }));

/** Fields of a manifest as far as they are about the address. */
export const addressFields = {
  repository: addressSchema.optional(),
  homepage: z.string().optional(),
  bugs: z.union([z.string().transform((url) => ({ url })), z.looseObject({ url: z.string() })]).optional(),
};

/** Undefined where the manifest names no repository. */
export function repositoryOf(manifest: z.infer<z.ZodObject<typeof addressFields>>): Repository | undefined {
  const { repository: url } = manifest;
  if (url === undefined) return undefined;
  return { url, homepage: manifest.homepage ?? `${url}#readme`, bugs: manifest.bugs ?? { url: `${url}/issues` } };
}

/** The manifest's fields about it. */
export const addressOf = (repository?: Repository): Record<string, unknown> =>
  repository === undefined
    ? {}
    : {
        repository: { type: 'git', url: `git+${repository.url}.git` },
        homepage: repository.homepage,
        bugs: repository.bugs,
      };

/** Where a host shows a file of the newest commit, and where it gives its bytes. */
function filesOn({ url }: Repository): { shown: string; raw: string } | undefined {
  const { hostname } = new URL(url);
  if (hostname === 'github.com') return { shown: `${url}/blob/HEAD`, raw: `${url}/raw/HEAD` };
  if (hostname.startsWith('gitlab.')) return { shown: `${url}/-/blob/HEAD`, raw: `${url}/-/raw/HEAD` };
  return undefined;
}

/**
 * A page of the project as it is shown where none of the project's files lies beside it: relative links become addresses.
 * Where there is no address, a link's words stay and a picture goes.
 * @param folder of the page, from the root
 */
export function standalone(page: string, folder: string, repository?: Repository): string {
  const files = repository === undefined ? undefined : filesOn(repository);
  return page.replaceAll(
    /(!?)\[([^\]]+)\]\((?!https:|#)([^)]*)\)(\n{2})?/g,
    (_, mark: string, words: string, to: string, end = '') => {
      const isPicture = mark === '!';
      if (files === undefined) return isPicture ? '' : `${words}${String(end)}`;
      return `${mark}[${words}](${isPicture ? files.raw : files.shown}/${posix.join(folder, to)})${String(end)}`;
    },
  );
}

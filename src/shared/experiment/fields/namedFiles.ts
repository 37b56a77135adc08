/** The files and folders that an experiment names, by the descriptions of its fields. */
import { fields } from '../fields.ts';
import { at } from '../resolve.ts';
import type { Experiment } from '../schema.ts';
import { domainsOf } from '../tasks/domains.ts';

/** Their imports, and the data of adapters among them, are named by the files themselves. */
export const fileFields: readonly string[] = Object.entries(fields).flatMap(([path, { file, folder }]) =>
  file === undefined && folder === undefined ? [] : [path],
);

interface NamedFile {
  /** Its path in the experiment: `reward.file`, `domains[1].seeds`. */
  field: string;
  /** As the experiment has it; relative to the experiment, or a name of what comes with GenEnv. */
  name: string;
}

const domain = 'domain.';

/** Each field of a file that is not empty. No loader takes an address: whatever stands there is a path. */
export function namedFiles(experiment: Experiment): NamedFile[] {
  const told = ({ field, name }: { field: string; name: unknown }): NamedFile[] =>
    typeof name === 'string' && name !== '' ? [{ field, name }] : [];
  return fileFields
    .flatMap((field) =>
      field.startsWith(domain)
        ? domainsOf(experiment).map((part) => {
            const inner = field.slice(domain.length);
            return { field: `${part.field}.${inner}`, name: at(part.settings, inner.split('.')) };
          })
        : [{ field, name: at(experiment, field.split('.')) }],
    )
    .flatMap(told);
}

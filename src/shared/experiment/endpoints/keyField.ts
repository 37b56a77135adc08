/** Fields that say where a key is found, and suggestions for values in other forms. */

/** `${env:NAME}`: an environment variable; `${secret:NAME}`: the editor's secret storage. */
export const keyReferencePattern = /^\$\{(env|secret):([A-Za-z_][\w.-]*)\}$/;

/** Whether a field holds a reference to a key. */
export const isKeyField = (field: string): boolean =>
  /^(?:endpoints\.\w+\.(?:key|samplerKey)|generation\.embeddingKey)$/.test(field);

/**
 * References to offer for a text that is none: a name written in another form is taken over, anything else may be the
 * key itself, of which nothing is repeated.
 */
export function meantReferences(text: string): string[] {
  const [, place, name] = /^\$?\{?(?:(env|secret):)?([A-Za-z_][\w.-]*)\}?$/.exec(text) ?? [];
  if (name !== undefined && place !== undefined) return [`\${${place}:${name}}`];
  const variable = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(text)?.[1] ?? /^(?:[A-Z]+_)+KEY$/.exec(text)?.[0];
  return [`\${env:${variable ?? 'TINKER_API_KEY'}}`, '${secret:my-key}'];
}

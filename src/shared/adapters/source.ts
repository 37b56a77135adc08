import * as z from 'zod';

/**
 * The source of a task's value: text that begins with `/` is a JSON pointer (RFC 6901) into a record's known data, all
 * other text a Jinja template over the same.
 */
export const sourceSchema = z
  .string()
  .min(1)
  .describe(
    'A JSON pointer such as /record/question, else a Jinja template such as “Question: {{ record.question }}”. ' +
      'There are record, file (path, folder, name, stem, index), split and what is joined, by its name.',
  );

export const isPointer = (source: string): boolean => source.startsWith('/');

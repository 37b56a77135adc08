/** Where keys come from. They never reach a file, a journal, a log or a report. */
export interface Keys {
  /** The key that a reference (`${env:NAME}`, `${secret:NAME}`) stands for. @throws KeyError when there is none */
  find(reference: string): Promise<string>;
}

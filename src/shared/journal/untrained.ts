/** Recorded reasons of epochs in which no update of the environment was due: no filter and no cap is to blame for these. */

/** Of `environment.update` `none`. */
export const notTrained = 'The environment is not trained (environment.update).';
/** Of rollouts from elsewhere, of the agent, too. */
export const importedOnly = 'Imported: nothing is trained here.';

/** Whether an update of the environment was due and not made. */
export const wasSkipped = (reason: string): boolean => reason !== notTrained && reason !== importedOnly;

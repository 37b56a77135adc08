/** The commands that write a run's figures: for people, and for programs that draw them. */
import { json, root, run, type CommandSpec } from '../../../cli/commandParts.ts';

export const reportCommands = {
  report: {
    summary: 'Write a run’s report: one HTML file that needs no network',
    argument: run,
    options: { out: { value: 'FILE', help: 'Where to (default: report.html in the run’s folder).' }, root, json },
    examples: ['genenv report 20261121'],
  },
  tensorboard: {
    summary: 'Write a run’s figures for TensorBoard: an event file with every number of every finished epoch',
    argument: run,
    options: {
      out: {
        value: 'DIR',
        help: 'Folder of the run’s event file (default: tensorboard/RUN beside the folder of the runs).',
      },
      root,
      json,
    },
    examples: ['genenv tensorboard 20261121'],
    notes: [
      'Then: tensorboard --logdir .genenv/tensorboard',
      'Run it again while the run is running: it appends the new epochs. Nothing is sent anywhere.',
    ],
  },
  mlflow: {
    summary: 'Write a run’s figures for MLflow: settings, and every number of every finished epoch',
    argument: run,
    options: {
      out: { value: 'DIR', help: 'Folder of MLflow’s file store (default: mlruns beside the folder of the runs).' },
      root,
      json,
    },
    examples: ['genenv mlflow 20261121'],
    notes: [
      'Then: MLFLOW_ALLOW_FILE_STORE=true mlflow ui --backend-store-uri .genenv/mlruns',
      'Or move it into a database: mlflow migrate-filestore. Run it again to add new epochs. Nothing is sent.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;

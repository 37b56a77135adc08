/** Scenes and switches of a smart home. */
import { strip } from '../../python/text.ts';
import { asItIs, inForm, lowered, neverRight } from './judges.ts';
import { ToolFault } from './faults.ts';
import { tidyTime } from './times.ts';
import { rowOf, type Tables } from './tables.ts';
import { flag, text, type Given, type Tool } from './tool.ts';

/** @throws ToolFault for an empty one */
function nameOf(given: Given, fault: string): string {
  const name = strip(given.text('name')).toLowerCase();
  if (name === '') throw new ToolFault(fault);
  return name;
}

function sceneOf(given: Given, { Scenes }: Tables, fault: string): unknown {
  const scene = rowOf(Scenes, nameOf(given, 'Scene name cannot be empty.'));
  if (scene === undefined) throw new ToolFault(fault);
  return scene;
}

/** A list of the official parser is text, and the characters of a text are no devices. */
const withDevices: Tool = {
  parameters: { name: text, devices: text },
  call(given) {
    nameOf(given, 'Scene name cannot be empty.');
    throw new ToolFault('Invalid device format.');
  },
  judge: neverRight,
};

export const homeTools = {
  AddScene: withDevices,
  ModifyScene: withDevices,
  DeleteScene: {
    parameters: { name: text },
    call(given, tables) {
      sceneOf(given, tables, 'The scene does not exist.');
      return 'success';
    },
    judge: inForm({ name: lowered }),
  },
  QueryScene: {
    parameters: { name: text },
    call: (given, tables) => sceneOf(given, tables, 'Scene not found.'),
    judge: inForm({ name: lowered }),
  },
  TimedSwitch: {
    parameters: { name: text, time: text, on: flag },
    call(given) {
      nameOf(given, 'Name cannot be empty.');
      tidyTime(given.text('time'));
      return 'success';
    },
    judge: inForm({ name: lowered, time: tidyTime, on: asItIs }),
  },
  CancelTimedSwitch: {
    parameters: { name: text, time: text },
    call(given, { TimeSwitch }) {
      const name = nameOf(given, 'name cannot be empty.');
      const time = tidyTime(given.text('time'));
      const times = rowOf(TimeSwitch, name);
      if (times === undefined) throw new ToolFault('device name does not exist.');
      if (!times.some((one) => one.time === time)) throw new ToolFault('time does not exist.');
      return 'success';
    },
    judge: inForm({ name: lowered, time: tidyTime }),
  },
} satisfies Record<string, Tool>;

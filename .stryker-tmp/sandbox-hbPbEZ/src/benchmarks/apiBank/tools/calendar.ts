/** Agenda, reminders and alarms of a user. */
import { strip } from '../../python/text.ts';
import { userOf } from './account.ts';
import { allEqual, deleted, named, sharedWords } from './judges.ts';
import { ToolFault, Wrong } from './faults.ts';
import { checkTime } from './times.ts';
import type { Tables } from './tables.ts';
import { text, type Given, type Tool } from './tool.ts';

const agenda = { token: text, content: text, time: text, location: text };
const reminder = { token: text, content: text, time: text };
const agendaJudge = sharedWords('content', ['time', 'location']);
const reminderJudge = sharedWords('content', ['time'], (topic) => topic.toLowerCase());

/** The user's first row of this content or time. @throws ToolFault with what `fault` says when there is none */
function ownRow<T extends { username: string; content: string; time: string }>(
  rows: Readonly<Record<string, T>>,
  given: Given,
  tables: Tables,
  fault: (content: string, time: string) => Error,
): T {
  const username = userOf(given.text('token'), tables);
  const [content, time] = [given.text('content'), given.text('time')];
  const row = Object.values(rows).find((one) => {
    return one.username === username && (one.content === content || one.time === time);
  });
  if (row === undefined) throw fault(content, time);
  return row;
}

const noneAbout =
  (what: string) =>
  (content: string, time: string): Error => {
    if (content !== '') return new ToolFault(`You have no ${what} about ${content}`);
    if (time !== '') return new ToolFault(`You have no ${what} at time : ${time}`);
    return new Wrong('neither content nor time');
  };

const noReminder = (content: string, time: string): Error =>
  new ToolFault(`You have no reminder about ${content} or at time : ${time}`);

/** @throws ToolFault unless time and content have their forms */
function checkEntry(given: Given): void {
  checkTime(given.text('time'));
  if (strip(given.text('content')) === '') throw new ToolFault('Content should not be null');
}

function checkTimeIfGiven(given: Given): void {
  if (given.text('time') !== '') checkTime(given.text('time'));
}

function add(given: Given, tables: Tables): string {
  checkEntry(given);
  userOf(given.text('token'), tables);
  return 'success';
}

export const calendarTools = {
  AddAgenda: { parameters: agenda, call: add, judge: named(agendaJudge) },
  DeleteAgenda: {
    parameters: agenda,
    call(given, tables) {
      checkTimeIfGiven(given);
      ownRow(tables.Agenda, given, tables, noneAbout('meeting'));
      return 'success';
    },
    judge: deleted,
  },
  ModifyAgenda: {
    parameters: agenda,
    call(given, tables) {
      checkTimeIfGiven(given);
      ownRow(tables.Agenda, given, tables, noneAbout('agenda'));
      return 'success';
    },
    judge: agendaJudge,
  },
  QueryAgenda: {
    parameters: agenda,
    call(given, tables) {
      checkTimeIfGiven(given);
      return ownRow(tables.Agenda, given, tables, noneAbout('agenda'));
    },
    judge: agendaJudge,
  },
  AddReminder: { parameters: reminder, call: add, judge: named(reminderJudge) },
  DeleteReminder: {
    parameters: reminder,
    call(given, tables) {
      checkEntry(given);
      ownRow(tables.Reminder, given, tables, noReminder);
      return 'success';
    },
    judge: deleted,
  },
  ModifyReminder: {
    parameters: reminder,
    call(given, tables) {
      checkEntry(given);
      ownRow(tables.Reminder, given, tables, noReminder);
      return 'success';
    },
    judge: named(reminderJudge),
  },
  QueryReminder: {
    parameters: reminder,
    call(given, tables) {
      checkEntry(given);
      return ownRow(tables.Reminder, given, tables, noReminder);
    },
    judge: reminderJudge,
  },
  AddAlarm: {
    parameters: { token: text, time: text },
    call(given, tables) {
      checkTime(given.text('time'));
      userOf(given.text('token'), tables);
      return 'success';
    },
    judge: allEqual,
  },
  DeleteAlarm: {
    parameters: { token: text, time: text },
    call(given, tables) {
      alarmAt(given, given.text('time'), 'alarm clock', tables);
      return 'success';
    },
    judge: allEqual,
  },
  ModifyAlarm: {
    parameters: { token: text, from_time: text, to_time: text },
    call(given, tables) {
      checkTime(given.text('from_time'));
      checkTime(given.text('to_time'));
      alarmAt(given, given.text('from_time'), 'agenda', tables);
      return 'success';
    },
    judge: allEqual,
  },
  QueryAlarm: {
    parameters: { token: text, time: text },
    call: (given, tables) => alarmAt(given, given.text('time'), 'alarm clock', tables),
    judge: allEqual,
  },
} satisfies Record<string, Tool>;

/** @param what the tool's message calls it */
function alarmAt(given: Given, time: string, what: string, tables: Tables): Tables['Alarm'][string] {
  checkTime(time);
  const username = userOf(given.text('token'), tables);
  const alarm = Object.values(tables.Alarm).find((one) => one.username === username && one.time === time);
  if (alarm === undefined) throw new ToolFault(`You have no ${what} at time : ${time}`);
  return alarm;
}

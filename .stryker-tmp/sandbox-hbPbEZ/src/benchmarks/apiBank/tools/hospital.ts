/** Appointments, health data and symptoms. */
import { strip } from '../../python/text.ts';
import { inForm, inFormWithNewId, raised, stripped } from './judges.ts';
import { ToolFault, Wrong } from './faults.ts';
import { tidyDate, tidyTime } from './times.ts';
import { rowOf, type Tables } from './tables.ts';
import { maybe, text, type Given, type Tool } from './tool.ts';

const symptomForm = (symptom: string): string => {
  const form = strip(symptom).toLowerCase();
  if (form === '') throw new Wrong('a symptom of no text');
  return form;
};

function illnesses(given: Given, { Symptom }: Tables): Tables['Symptom'][string] {
  const found = rowOf(Symptom, symptomForm(given.text('symptom')));
  if (found === undefined) throw new ToolFault('The symptom does not exist.');
  return found;
}

function appointmentOf(given: Given, { Appointments }: Tables, fault: string): Tables['Appointments'][string] {
  const appointment = rowOf(Appointments, strip(given.text('appointment_id')));
  if (appointment === undefined) throw new ToolFault(fault);
  return appointment;
}

export const hospitalTools = {
  AppointmentRegistration: {
    parameters: { patient_name: text, date: text, doctor_name: text },
    call(given, { Appointments }) {
      const [patient, doctor] = [strip(given.text('patient_name')), strip(given.text('doctor_name'))];
      if (patient === '' || doctor === '') throw new ToolFault('Patient name or doctor name cannot be empty.');
      const date = tidyDate(given.text('date'));
      for (const known of Object.values(Appointments)) {
        if (known.patient_name !== patient || tidyDate(known.date) !== date) continue;
        const isSame = known.doctor_name === doctor;
        throw new ToolFault(
          isSame
            ? 'This appointment has already been registered.'
            : 'This patient has already been registered in this day.',
        );
      }
      // Random in the official program, and not compared.
      return 'new';
    },
    judge: inFormWithNewId({ patient_name: stripped, date: tidyDate, doctor_name: stripped }),
  },
  CancelRegistration: {
    parameters: { appointment_id: text },
    call(given, tables) {
      appointmentOf(given, tables, 'The appointment ID is incorrect.');
      return 'success';
    },
    judge: inForm({ appointment_id: stripped }),
  },
  ModifyRegistration: {
    parameters: { appointment_id: text, new_appointment_date: maybe(text), new_appointment_doctor: maybe(text) },
    call: modifyRegistration,
    judge: (response, truth) =>
      inForm({ appointment_id: stripped, new_appointment_date: tidyDate, new_appointment_doctor: stripped })(
        { ...response, input: { new_appointment_date: null, new_appointment_doctor: null, ...response.input } },
        truth,
      ),
  },
  QueryRegistration: {
    parameters: { patient_name: text, date: text },
    call(given, { Appointments }) {
      const [patient, date] = [strip(given.text('patient_name')), tidyDate(given.text('date'))];
      const found = Object.entries(Appointments).filter(([, known]) => {
        return known.patient_name === patient && tidyDate(known.date) === date;
      });
      if (found.length === 0) throw new ToolFault('No appointments found.');
      return Object.fromEntries(found);
    },
    judge: inForm({ patient_name: stripped, date: tidyDate }),
  },
  QueryHealthData: {
    parameters: { user_id: text, start_time: text, end_time: text },
    call: queryHealthData,
    judge: inForm({ user_id: raised, start_time: tidyTime, end_time: tidyTime }),
  },
  RecordHealthData: {
    parameters: { user_id: text, time: text, health_data: maybe(text) },
    call(given) {
      if (raised(given.text('user_id')) === '') throw new ToolFault('The user id cannot be empty.');
      tidyTime(given.text('time'));
      // A list of the official parser is text, and the characters of a text are no health data.
      const isThere = given.text('health_data') !== '';
      throw new ToolFault(isThere ? 'The health data has invalid format.' : 'The health data cannot be empty.');
    },
    judge: inForm({ user_id: raised, time: tidyTime }),
  },
  SymptomSearch: {
    parameters: { symptom: text },
    call: (given, tables) => illnesses(given, tables).map(({ name, description }) => ({ name, description })),
    judge: inForm({ symptom: symptomForm }),
  },
  EmergencyKnowledge: {
    parameters: { symptom: text },
    call: (given, tables) => illnesses(given, tables).map(({ name, aid }) => ({ name, aid })),
    judge: inForm({ symptom: symptomForm }),
  },
} satisfies Record<string, Tool>;

function modifyRegistration(given: Given, tables: Tables): string {
  const appointment = appointmentOf(given, tables, 'The appointment ID does not exist.');
  const [newDate, newDoctor] = [given.maybeText('new_appointment_date'), given.maybeText('new_appointment_doctor')];
  const doctor = newDoctor === null ? null : strip(newDoctor);
  if (doctor === '') throw new ToolFault('Fail because the doctor name is empty.');
  const date = newDate === null ? null : tidyDate(newDate);
  const isSameDate = date === null || date === appointment.date;
  const isSameDoctor = doctor === null || doctor === appointment.doctor_name;
  if ((date === null && doctor === null) || (date !== null && doctor !== null && isSameDate && isSameDoctor)) {
    throw new ToolFault('Fail because no modification is made.');
  }
  if (date !== null && isSameDate) throw new ToolFault('Fail because date is not changed.');
  if (doctor !== null && isSameDoctor) throw new ToolFault('Fail because doctor is not changed.');
  return 'success';
}

function queryHealthData(given: Given, { HealthData }: Tables): unknown {
  const user = raised(given.text('user_id'));
  if (user === '') throw new ToolFault('The user id cannot be empty.');
  const [start, end] = [timeOrFault(given.text('start_time')), timeOrFault(given.text('end_time'))];
  if (start instanceof ToolFault && end instanceof ToolFault) throw new ToolFault(`${start.message}; ${end.message}`);
  if (start instanceof ToolFault) throw start;
  if (end instanceof ToolFault) throw end;
  if (start > end) throw new ToolFault('The start time cannot be later than the end time.');
  const known = rowOf(HealthData, user);
  if (known === undefined) throw new ToolFault('The user id does not exist.');
  const found = known.filter(({ time }) => tidyTime(time) >= start && tidyTime(time) <= end);
  if (found.length === 0) throw new ToolFault('There is no health data in the given time span.');
  return found;
}

function timeOrFault(time: string): string | ToolFault {
  try {
    return tidyTime(time);
  } catch (error) {
    if (error instanceof ToolFault) return error;
    throw error;
  }
}

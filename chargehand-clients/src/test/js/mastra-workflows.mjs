// Mastra's client for JavaScript: what starts and lists of workflows have besides their input.

import assert from 'node:assert/strict';
import { agentOf, clientOf } from './mastra-client.mjs';
import { all, run, until } from './scenarios.mjs';

const rejected = (call, word) => assert.rejects(call, (e) => e.status === 400 && e.message.includes(word), String(call));

await run({
  async aRunHasItsContextAndItsState(url) {
    const workflow = clientOf(url).getWorkflow('greeting');
    const start = { inputData: { amount: 1 }, initialState: { times: 4 }, requestContext: { tier: 'gold' } };
    const result = await (await workflow.createRun()).startAsync(start);
    assert.equal(result.result, 'gold after 4');
    const chunks = await all(await (await workflow.createRun()).stream(start));
    assert.equal(chunks.find((chunk) => chunk.type === 'workflow-step-result').payload.output, 'gold after 4');
    const started = await workflow.createRun();
    assert.equal((await started.start(start)).message, 'Workflow run started');
    await until(async () => (await workflow.runById(started.runId)).result === 'gold after 4');
    const again = await started.timeTravelAsync({
      step: 'greet',
      initialState: { times: 7 },
      requestContext: { tier: 'silver' },
    });
    assert.equal(again.result, 'silver after 7');
  },

  async aRunHasItsGraphItsStateAndTheStepsOfNestedWorkflows(url) {
    const workflow = clientOf(url).getWorkflow('audit');
    const created = await workflow.createRun();
    const waiting = await created.startAsync({ inputData: { amount: 3 } });
    assert.deepEqual([waiting.status, waiting.suspended], ['suspended', [['review', 'ask']]]);
    assert.deepEqual([waiting.suspendPayload, waiting.suspendedPaths], [{ review: { amount: 3 } }, { review: [0] }]);
    const chunks = await all(await created.resumeStream({ step: waiting.suspended[0], resumeData: { accepted: true } }));
    assert.equal(chunks.at(-1).payload.finalWorkflowResult, true);
    assert.equal(chunks.find((chunk) => chunk.type === 'workflow-step-waiting').payload.payload, true);
    const ended = chunks.filter((chunk) => chunk.type === 'workflow-step-result').map(({ payload }) => [payload.id, payload.status]);
    assert.deepEqual(ended, [['review', 'success'], ['rest', 'success']]);
    const streamed = await all(await (await workflow.createRun()).stream({ inputData: { amount: 3 } }));
    const { payload: asked } = streamed.find((chunk) => chunk.type === 'workflow-step-suspended');
    assert.deepEqual([asked.id, asked.status, asked.suspendPayload], ['review', 'suspended', { amount: 3 }]);
    const shown = await workflow.runById(created.runId);
    assert.deepEqual(shown.serializedStepGraph, (await workflow.details()).stepGraph);
    assert.deepEqual([shown.activeStepsPath, shown.result], [{}, true]);
    assert.deepEqual(shown.steps['review.ask'].payload, { amount: 3 });
    assert.deepEqual([shown.steps['review.ask'].output, shown.steps.rest.output], [true, true]);
    const without = await workflow.runById(created.runId, { withNestedWorkflows: false });
    assert.equal(without.steps['review.ask'], undefined);
    const greeting = clientOf(url).getWorkflow('greeting');
    const stateful = await greeting.createRun();
    await stateful.startAsync({ inputData: { amount: 1 }, initialState: { times: 4 } });
    assert.deepEqual((await greeting.runById(stateful.runId)).initialState, { times: 5 });
  },

  async whatARunCannotHaveIsSaid(url) {
    const workflow = clientOf(url).getWorkflow('greeting');
    const created = await workflow.createRun();
    const start = { inputData: { amount: 1 } };
    for (const method of ['start', 'startAsync', 'stream']) {
      await rejected(() => created[method]({ ...start, perStep: true }), 'perStep');
      await rejected(() => created[method]({ ...start, requestContext: { role: 'admin' } }), 'requestContext');
      await rejected(() => created[method]({ ...start, initialState: { times: 'many' } }), 'initial state');
    }
    await rejected(() => created.stream({ ...start, closeOnSuspend: false }), 'closeOnSuspend');
  },

  async aRunThatContinuesKeepsItsContext(url) {
    const created = await clientOf(url).getWorkflow('greeting').createRun();
    await created.startAsync({ inputData: { amount: 1 } });
    for (const method of ['resume', 'resumeAsync', 'resumeNoWait', 'resumeStream']) {
      await rejected(() => created[method]({ step: 'greet', perStep: true }), 'perStep');
      await rejected(() => created[method]({ step: 'greet', requestContext: { tier: 'gold' } }), 'requestContext');
    }
    const waiting = await clientOf(url).getWorkflow('review').createRun();
    const requestContext = { tier: 'gold' };
    await waiting.startAsync({ inputData: { amount: 1 }, requestContext });
    const answer = { step: 'ask', resumeData: { accepted: true } };
    await rejected(() => waiting.resumeAsync({ ...answer, requestContext: { tier: 'silver' } }), 'requestContext');
    assert.equal((await waiting.resumeAsync({ ...answer, requestContext })).result, true);
  },

  async aWorkflowIsDescribed(url) {
    const workflow = clientOf(url).getWorkflow('greeting');
    const { inputSchema, outputSchema } = await workflow.getSchema();
    assert.deepEqual([inputSchema.type, outputSchema.type], ['object', 'string']);
    const { stepGraph, stateSchema, steps } = await workflow.details();
    assert.deepEqual(stepGraph, [{ id: 'greet', type: 'step', step: { id: 'greet' } }]);
    assert.equal(JSON.parse(stateSchema).properties.times.type, 'integer');
    assert.equal(steps.greet.isWorkflow, false);
    assert.deepEqual((await agentOf(url, 'writer').details()).workflows, {});
  },

  async aStepIsAnsweredWithoutWaiting(url) {
    const workflow = clientOf(url).getWorkflow('review');
    for (const method of ['resume', 'resumeNoWait']) {
      const created = await workflow.createRun();
      await created.startAsync({ inputData: { amount: 3 } });
      const answered = await created[method]({ step: 'ask', resumeData: { accepted: true } });
      assert.equal(answered.message, 'Workflow run resumed');
      await until(async () => (await workflow.runById(created.runId)).status === 'success');
      assert.equal((await all(await created.observeStream())).at(-1).payload.workflowStatus, 'success');
    }
    const left = await workflow.createRun();
    await left.startAsync({ inputData: { amount: 3 } });
    assert.equal((await left.cancelRun()).message, 'Workflow run canceled');
  },

  async runsAreFilteredAndHaveTheFieldsThatAreWanted(url) {
    const workflow = clientOf(url).getWorkflow('pricing');
    const created = await workflow.createRun();
    await created.startAsync({ inputData: { amount: 3 } });
    const { runs } = await workflow.runs({ limit: false, status: 'success', fromDate: new Date(0) });
    assert.ok(runs.length > 0);
    assert.deepEqual(runs[0].snapshot.context, {});
    for (const none of [{ status: 'bailed' }, { status: 'suspended' }, { toDate: new Date(0) }]) {
      assert.deepEqual((await workflow.runs(none)).runs, []);
    }
    const own = (await workflow.runs({ resourceId: 'ann' })).runs;
    assert.ok(own.length > 0 && own.every((each) => each.resourceId === 'ann'));
    const shown = await workflow.runById(created.runId, { fields: ['result'], withNestedWorkflows: false });
    assert.deepEqual([shown.result, shown.steps, shown.status], [300, undefined, 'success']);
  },
});

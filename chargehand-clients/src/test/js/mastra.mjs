// Mastra's client for JavaScript: agents, networks and workflows.

import assert from 'node:assert/strict';
import { agentOf, chunksOf, clientOf, headers, inner, network, of, stream, textOf } from './mastra-client.mjs';
import { all, run, until, untilStatus } from './scenarios.mjs';

await run({
  async agentsAndToolsAreListed(url) {
    const agents = await clientOf(url).listAgents();
    assert.equal(agents.writer.name, 'writer');
    const details = await agentOf(url, 'cook').details();
    assert.equal(JSON.parse(details.tools.weather.inputSchema).type, 'object');
    assert.deepEqual(Object.keys((await agentOf(url, 'lead').details()).agents), ['writer']);
    assert.equal((await clientOf(url).getTool('weather').details()).id, 'weather');
    assert.ok((await clientOf(url).listTools()).pay.requireApproval);
    assert.deepEqual((await clientOf(url).listAgentsModelProviders()).providers, []);
  },

  async anAnswerIsGenerated(url) {
    const answer = await agentOf(url, 'writer').generate('Please.');
    assert.equal(answer.text, 'One two.');
    assert.equal(answer.finishReason, 'stop');
    assert.equal(answer.usage.totalTokens, 15);
    assert.match(answer.runId, /^run_/);
    assert.deepEqual(answer.steps.map((step) => [step.text, step.finishReason]), [['One two.', 'stop']]);
    assert.deepEqual(answer.messages.map((each) => each.content.parts[0].text), ['Please.', 'One two.']);
    assert.equal(answer.response.messages[0].content[0].text, 'One two.');
    const shaped = await agentOf(url, 'shaper').generate('Please.', {
      structuredOutput: { schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
    });
    assert.deepEqual(shaped.object, { a: 1 });
    const cooked = await agentOf(url, 'cook').generate('Please.');
    assert.deepEqual(cooked.toolResults.map(({ payload }) => [payload.args.city, payload.result.sky]), [['Rome', 'blue']]);
  },

  async anAnswerHasItsMemoryItsContextAndItsImages(url) {
    const answer = await agentOf(url, 'writer').generate(
      [{ role: 'user', content: [{ type: 'text', text: 'Please.' }, { type: 'image', image: new URL('https://example.com/a.png') }] }],
      {
        context: [{ role: 'user', content: 'Before.' }],
        memory: { thread: `settings-${Date.now()}`, options: { lastMessages: 5, semanticRecall: { topK: 2, messageRange: 1 } } },
      },
    );
    assert.equal(answer.text, 'One two.');
    assert.equal(answer.messages[0].content.parts[1].mimeType, 'image/png');
    assert.deepEqual(await clientOf(url).listBackgroundTasks(), { tasks: [], total: 0 });
    assert.deepEqual((await clientOf(url).listWorkflowRunCounts()).pricing, { running: 0, suspended: 0 });
  },

  async theMessagesOfAnAnswerAreSentAgain(url) {
    const cook = agentOf(url, 'cook');
    const first = await cook.generate('Please.');
    const again = await cook.generate([
      { role: 'user', content: 'Please.' },
      ...first.response.messages,
      { role: 'user', content: 'And now?' },
    ]);
    assert.equal(again.finishReason, 'stop');
    assert.equal(again.text, 'It is sunny.');
  },

  async anAnswerIsStreamed(url) {
    const chunks = await stream(url, 'thinker');
    assert.equal(chunks.at(0).type, 'start');
    assert.equal(textOf(chunks), 'So.');
    assert.equal(of(chunks, 'reasoning-delta')[0].text, 'Hm.');
    assert.equal(chunks.at(-1).payload.stepResult.reason, 'stop');
    assert.equal(chunks.at(-1).payload.output.usage.totalTokens, 15);
    assert.equal(chunks.at(-1).payload.messages.all.at(-1).content.at(-1).text, 'So.');
    assert.ok(of(chunks, 'step-start').every((payload) => payload.request)); // a reader may miss a start
    assert.equal(of(chunks, 'step-finish')[0].metadata.finishReason, 'stop');
  },

  async aToolIsCalled(url) {
    const chunks = await stream(url, 'cook');
    assert.deepEqual(of(chunks, 'tool-call')[0].args, { city: 'Rome' });
    const streamed = of(chunks, 'tool-call-delta').map((payload) => payload.argsTextDelta);
    assert.ok(streamed.length === 0 || JSON.parse(streamed.join('')).city === 'Rome');
    assert.deepEqual(of(chunks, 'tool-result')[0].result, { sky: 'blue', city: 'Rome' });
    assert.equal(of(chunks, 'step-finish').length, 2);
  },

  async aToolIsExecuted(url) {
    const data = { city: 'Rome' };
    const blue = { sky: 'blue', city: 'Rome' };
    assert.deepEqual(await clientOf(url).getTool('weather').execute({ data }), blue);
    assert.deepEqual(await clientOf(url).getTool('weather').execute({ data, runId: 'weather-of-rome' }), blue);
    assert.deepEqual(await agentOf(url, 'cook').executeTool('weather', { data }), blue);
    const refused = async (call, status) => assert.equal((await call.catch((error) => error)).status, status);
    await refused(clientOf(url).getTool('weather').execute({ data: { city: 7 } }), 400);
    await refused(clientOf(url).getTool('weather').execute({ data: { city: 'Oslo' }, runId: 'weather-of-rome' }), 422);
    await refused(clientOf(url).getTool('pay').execute({ data: { amount: 7 } }), 404);
    await refused(agentOf(url, 'clerk').executeTool('weather', { data }), 404);
  },

  async aDelegationIsInAnEnvelope(url) {
    const chunks = await stream(url, 'lead');
    assert.equal(textOf(inner(chunks)), 'One two.');
    assert.equal(of(chunks, 'tool-output')[0].toolName, 'agent-writer');
    assert.equal(of(chunks, 'tool-result').length, 1);
    assert.equal(textOf(chunks), 'I ask.All done.');
  },

  async aCallIsApproved(url) {
    const first = await stream(url, 'clerk');
    const [waiting] = of(first, 'tool-call-approval');
    assert.deepEqual(waiting.args, { amount: 7 });
    assert.equal(of(first, 'finish').length, 0);
    const runId = first[0].runId;
    const { runs } = await agentOf(url, 'clerk').listSuspendedRuns();
    assert.ok(runs.some((each) => each.runId === runId && each.toolCalls[0].toolCallId === waiting.toolCallId));
    const answer = { runId, toolCallId: waiting.toolCallId };
    const second = await chunksOf(await agentOf(url, 'clerk').approveToolCall(answer));
    assert.deepEqual(second.slice(0, 1).map((chunk) => chunk.type), ['tool-call']);
    assert.equal(of(second, 'tool-result')[0].result, 'paid 7');
    assert.equal(textOf(second), 'Paid.');
    await assert.rejects(agentOf(url, 'clerk').approveToolCall(answer), (e) => e.status === 409);
  },

  async aCallIsDeclinedOnce(url) {
    const first = await agentOf(url, 'clerk').generate('Please.');
    assert.equal(first.finishReason, 'suspended');
    const answer = { runId: first.runId, toolCallId: first.suspendPayload.toolCallId };
    const second = await chunksOf(await agentOf(url, 'clerk').declineToolCall(answer));
    const [denied] = of(second, 'tool-output-denied');
    assert.deepEqual([denied.approval.approved, denied.args.amount], [false, 7]);
    assert.equal(of(second, 'tool-error').length, 0);
  },

  async aCallOfASubAgentIsApprovedWithBothIds(url) {
    for (const nested of [false, true]) {
      const first = await stream(url, 'boss');
      const asked = (nested ? inner(first) : first).find((chunk) => chunk.type === 'tool-call-approval');
      const answer = await agentOf(url, 'boss').approveToolCallGenerate({
        runId: asked.runId,
        toolCallId: asked.payload.toolCallId,
      });
      assert.equal(answer.text, 'All paid.');
    }
  },

  async aToolReceivesItsData(url) {
    const first = await stream(url, 'form');
    const [waiting] = of(first, 'tool-call-suspended');
    assert.deepEqual(waiting.suspendPayload, { question: 'Which street?' });
    const second = await agentOf(url, 'form').resumeStream(
      { street: 'High Street' },
      { runId: first[0].runId, toolCallId: waiting.toolCallId },
    );
    assert.equal(of(await chunksOf(second), 'tool-result')[0].result, 'sent to High Street');
  },

  async whatAWorkflowOfAnAgentDoesIsTheOutputOfItsCall(url) {
    const first = await stream(url, 'officer');
    const [{ toolCallId }] = of(first, 'tool-call');
    assert.ok(inner(first).some((chunk) => chunk.type === 'workflow-step-start' && chunk.payload.id === 'ask'));
    const [waiting] = of(first, 'tool-call-suspended');
    assert.deepEqual([waiting.toolCallId, waiting.suspendPayload], [toolCallId, { amount: 7 }]);
    const answer = { runId: first[0].runId, toolCallId };
    const second = await chunksOf(await agentOf(url, 'officer').resumeStream({ accepted: true }, answer));
    const end = inner(second).find((chunk) => chunk.type === 'workflow-finish');
    assert.deepEqual([end.payload.finalWorkflowResult, textOf(second)], [true, 'Reviewed.']);
  },

  async aVerdictIsAChunk(url) {
    const [verdict] = of(await stream(url, 'judged'), 'is-task-complete');
    assert.deepEqual([verdict.iteration, verdict.passed, verdict.results[0].scorerId], [1, false, 'minLength']);
  },

  async aToolOfTheClientIsCalled(url) {
    const asked = [];
    const clientTools = {
      locate: {
        id: 'locate',
        description: 'Returns a place.',
        inputSchema: { type: 'object' },
        execute: async (input) => {
          asked.push(input);
          return { place: 'Rome' };
        },
      },
    };
    const answer = await agentOf(url, 'helper').generate('Where?', { clientTools });
    assert.equal(answer.text, 'You are there.');
    assert.deepEqual(asked, [{ precise: true }]);
    for (const memory of [undefined, { thread: 'places', resource: 'ann' }]) {
      const chunks = await stream(url, 'helper', { clientTools, memory });
      assert.equal(textOf(chunks), 'You are there.');
      assert.deepEqual(of(chunks, 'tool-result')[0].result, { place: 'Rome' });
    }
    assert.equal(asked.length, 3);
  },

  async aWorkflowIsRun(url) {
    const workflows = await clientOf(url).listWorkflows();
    assert.equal(workflows.pricing.name, 'pricing');
    const workflow = clientOf(url).getWorkflow('pricing');
    assert.equal((await workflow.details()).name, 'pricing');
    const created = await workflow.createRun();
    const result = await created.startAsync({ inputData: { amount: 3 } });
    assert.equal(result.status, 'success');
    assert.equal(result.result, 300);
  },

  async aRunIsObserved(url) {
    const first = await stream(url, 'cook');
    const all = await chunksOf(await agentOf(url, 'cook').observe({ runId: first[0].runId }));
    assert.equal(textOf(all), textOf(first));
    const rest = await chunksOf(await agentOf(url, 'cook').observe({ runId: first[0].runId, offset: all.length - 1 }));
    assert.deepEqual(rest.map((chunk) => chunk.type), ['finish']);
  },

  async aWorkflowIsStreamedAndItsStepAnswered(url) {
    const workflow = clientOf(url).getWorkflow('review');
    const created = await workflow.createRun();
    const first = await all(await created.stream({ inputData: { amount: 3 } }));
    assert.deepEqual(first.map((chunk) => chunk.type), [
      'workflow-start',
      'workflow-step-start',
      'workflow-step-suspended',
      'workflow-finish',
    ]);
    assert.deepEqual(first[2].payload.suspendPayload, { amount: 3 });
    assert.equal(first[3].payload.workflowStatus, 'suspended');
    const waiting = await workflow.runById(created.runId);
    assert.equal(waiting.status, 'suspended');
    assert.equal(waiting.steps.ask.status, 'suspended');
    assert.deepEqual(await all(await created.observe({ offset: 3 })), [first[3]]);
    const second = await all(await created.resumeStream({ step: 'ask', resumeData: { accepted: true } }));
    assert.equal(second.at(-1).payload.workflowStatus, 'success');
    assert.ok(!second.some((chunk) => chunk.type === 'workflow-start'));
    assert.equal((await workflow.runById(created.runId)).result, true);
    const { runs } = await workflow.runs({ perPage: 10 });
    assert.ok(runs.some((each) => each.runId === first[0].runId && each.workflowName === 'review'));
    await assert.rejects(created.resumeAsync({ step: 'ask', resumeData: {} }), (e) => e.status === 409);
  },

  async aWorkflowIsAnsweredWithoutAStreamAndCancelled(url) {
    const workflow = clientOf(url).getWorkflow('review');
    const answered = await workflow.createRun();
    const waiting = await answered.startAsync({ inputData: { amount: 3 } });
    assert.equal(waiting.status, 'suspended');
    assert.deepEqual(waiting.suspended, [['ask']]);
    const result = await answered.resumeAsync({ step: ['ask'], resumeData: { accepted: false } });
    assert.deepEqual([result.status, result.result, result.steps.ask.output], ['success', false, false]);
    const left = await workflow.createRun();
    assert.equal((await left.start({ inputData: { amount: 3 } })).message, 'Workflow run started');
    await until(async () => (await workflow.runById(left.runId)).status === 'suspended');
    assert.equal((await left.cancel()).message, 'Workflow run canceled');
    await until(async () => (await workflow.runById(left.runId)).status === 'canceled');
  },

  async aRunOfAWorkflowIsRepeatedFromAStep(url) {
    const workflow = clientOf(url).getWorkflow('review');
    const created = await workflow.createRun();
    await created.startAsync({ inputData: { amount: 3 } });
    assert.equal((await created.resumeAsync({ step: 'ask', resumeData: { accepted: false } })).result, false);
    const waiting = await created.timeTravelAsync({ step: 'ask', inputData: { amount: 4 } });
    assert.equal(waiting.status, 'suspended');
    assert.deepEqual(waiting.suspendPayload.ask, { amount: 4 });
    assert.equal((await workflow.runById(created.runId)).result, false);
    const repeated = await workflow.createRun({ runId: waiting.runId });
    assert.equal((await repeated.resumeAsync({ step: 'ask', resumeData: { accepted: true } })).result, true);
    const chunks = await all(await repeated.timeTravelStream({ step: ['ask'] }));
    assert.equal(chunks.at(-1).payload.workflowStatus, 'suspended');
    assert.notEqual(chunks[0].runId, repeated.runId);
    const started = await created.timeTravel({ step: 'ask' });
    assert.equal(started.message, 'Workflow run time travel started');
    await until(async () => (await workflow.runById(started.runId)).status === 'suspended');
    await assert.rejects(created.timeTravel({ step: 'missing' }), (e) => e.status === 400);
  },

  async aRunOfAWorkflowIsResumedAndDeletedWhenItHasEnded(url) {
    const workflow = clientOf(url).getWorkflow('review');
    const created = await workflow.createRun();
    await created.startAsync({ inputData: { amount: 3 } });
    assert.equal((await created.restart({})).message, 'Workflow run restarted');
    assert.equal((await created.restartAsync()).status, 'suspended');
    await assert.rejects(workflow.deleteRunById(created.runId), (e) => e.status === 409);
    await created.resumeAsync({ step: 'ask', resumeData: { accepted: true } });
    await assert.rejects(created.restartAsync(), (e) => e.status === 409);
    assert.equal((await workflow.deleteRunById(created.runId)).message, 'Workflow run deleted');
    await assert.rejects(workflow.runById(created.runId), (e) => e.status === 404);
    await assert.rejects(workflow.deleteRunById(created.runId), (e) => e.status === 404);
  },

  async aWorkflowThatANetworkChoosesIsStreamed(url) {
    const chunks = await network(url, 'planner');
    const [start] = of(chunks, 'workflow-execution-start');
    assert.deepEqual([start.name, start.workflowId, start.args.primitiveType], ['pricing', 'pricing', 'workflow']);
    assert.ok(!chunks.some((chunk) => chunk.type.startsWith('agent-execution-')));
    const nested = chunks.filter((chunk) => chunk.type.startsWith('workflow-execution-event-')).map((chunk) => chunk.payload);
    assert.deepEqual(nested.map((chunk) => [chunk.type, chunk.from]), [
      ['workflow-start', 'WORKFLOW'],
      ['workflow-step-start', 'WORKFLOW'],
      ['workflow-step-result', 'WORKFLOW'],
      ['workflow-finish', 'WORKFLOW'],
    ]);
    const { id, status, payload, output } = nested[2].payload;
    assert.deepEqual([id, status, payload, output], ['price', 'success', { amount: 7 }, 700]);
    assert.deepEqual([nested[3].payload.workflowStatus, nested[3].payload.output.usage.totalTokens], ['success', 0]);
    const [end] = of(chunks, 'workflow-execution-end');
    assert.deepEqual([end.name, end.result, end.usage.totalTokens], ['pricing', '700', 0]);
  },

  async aNetworkIsStreamed(url) {
    const chunks = await network(url, 'router');
    assert.deepEqual(
      chunks.map((chunk) => chunk.type).filter((type) => !type.startsWith('data-') && !type.includes('-event-')),
      [
        'routing-agent-start',
        'routing-agent-end',
        'agent-execution-start',
        'agent-execution-end',
        'network-validation-start',
        'network-validation-end',
      ],
    );
    const [choice] = of(chunks, 'routing-agent-end');
    assert.deepEqual(
      [choice.primitiveId, choice.primitiveType, choice.prompt, choice.selectionReason, choice.iteration],
      ['writer', 'agent', 'Write.', 'It fits.', 0],
    );
    assert.equal(of(chunks, 'agent-execution-start')[0].args.prompt, 'Write.');
    assert.deepEqual([choice.task, of(chunks, 'routing-agent-start')[0].inputData.task], ['Please.', 'Please.']);
    const words = of(chunks, 'agent-execution-event-text-delta');
    assert.equal(words.map((chunk) => chunk.payload.text).join(''), 'One two.');
    assert.ok(words.every((chunk) => chunk.type === 'text-delta' && chunk.payload.id));
    assert.equal(of(chunks, 'agent-execution-end')[0].result, 'One two.');
    const [step] = of(chunks, 'network-execution-event-step-finish');
    assert.deepEqual([step.result, step.isComplete], ['One two.', true]);
    const last = chunks.at(-1);
    assert.equal(last.type, 'network-execution-event-finish');
    assert.equal(last.from, 'NETWORK');
    assert.match(last.runId, /^run_/);
    assert.deepEqual([last.payload.result, last.payload.completionReason], ['One two.', 'task-complete']);
    assert.ok(last.payload.usage.totalTokens > 0);
    const all = await chunksOf(await agentOf(url, 'router').observe({ runId: last.runId }));
    assert.equal(all.at(-1).payload.result, 'One two.');
  },

  async aNetworkAnswersItself(url) {
    const chunks = await network(url, 'host', { memory: { thread: 'greetings', resource: 'ann' } });
    assert.equal(of(chunks, 'routing-agent-text-delta').map((payload) => payload.text).join(''), 'Welcome.');
    assert.equal(chunks.at(-1).payload.result, 'Welcome.');
    const thread = clientOf(url).getMemoryThread({ threadId: 'greetings', agentId: 'host' });
    const { messages } = await thread.listMessages();
    assert.equal(messages.at(-1).content.content, 'Welcome.');
  },

  async aCallOfANetworkIsApproved(url) {
    for (const [agent, kind] of [['cashier', 'tool'], ['desk', 'agent']]) {
      const first = await network(url, agent);
      const waiting = first.at(-1);
      assert.equal(waiting.type, `${kind}-execution-approval`);
      assert.deepEqual(waiting.payload.args, { amount: 7 });
      assert.equal(waiting.payload.selectionReason, 'It fits.');
      const answer = { runId: waiting.runId };
      const second = await chunksOf(await agentOf(url, agent).approveNetworkToolCall(answer));
      assert.ok(!second.some((chunk) => chunk.type === 'routing-agent-start'));
      const result = kind === 'tool' ? 'paid 7' : 'Paid.';
      assert.equal(of(second, `${kind}-execution-end`)[0].result, result);
      assert.equal(second.at(-1).type, 'network-execution-event-finish');
      await assert.rejects(agentOf(url, agent).approveNetworkToolCall(answer), (e) => e.status === 409);
    }
  },

  async aCallOfANetworkIsDeclined(url) {
    const first = await network(url, 'cashier');
    const second = await chunksOf(
      await agentOf(url, 'cashier').declineNetworkToolCall({ runId: first.at(-1).runId, reason: 'Too much.' }),
    );
    const [denied] = of(second, 'tool-execution-event-tool-output-denied');
    assert.match(denied.reason, /Too much/);
  },

  async aClientThatLeavesCancelsItsRun(url) {
    const leave = new AbortController();
    const response = await agentOf(url, 'slow').stream('Please.', { abortSignal: leave.signal });
    await response
      .processDataStream({
        onChunk: async (chunk) => {
          if (chunk.type === 'text-delta') {
            leave.abort();
          }
        },
      })
      .catch(() => {});
    await untilStatus(url, 'slow', 'aborted', headers);
  },

  async anErrorInMidStreamIsAChunk(url) {
    const report = console.error;
    console.error = () => {}; // the client reports the error of the run
    const chunks = await stream(url, 'broken');
    console.error = report;
    assert.equal(of(chunks, 'error')[0].error.code, 'model-authentication');
    assert.equal(of(chunks, 'finish')[0].stepResult.reason, 'error');
  },
});

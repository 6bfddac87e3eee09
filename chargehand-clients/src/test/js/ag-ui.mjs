// The client of AG-UI.

import assert from 'node:assert/strict';
import { HttpAgent } from '@ag-ui/client';
import { own, run, untilStatus } from './scenarios.mjs';

let messages = 0;
const user = (content) => ({ id: `user-${++messages}`, role: 'user', content });

/** Runs an agent and returns its events, with the error that ended the run, if one did. */
async function play(agent, parameters) {
  const events = [];
  let failure;
  const end = await agent.runAgent(parameters, {
    onEvent: ({ event }) => {
      events.push(event);
    },
    onRunFailed: ({ error }) => {
      failure = error;
    },
  });
  return { ...end, events, failure, types: events.map((event) => event.type) };
}

const agentOf = (url, id, text = 'Please.') =>
  new HttpAgent({ url: `${url}/ag-ui/${id}`, threadId: `thread-${process.pid}-${++messages}`, initialMessages: [user(text)] });
const of = (played, type) => played.events.filter((event) => event.type === type);

await run({
  async aTextIsStreamedAndTheThreadContinued(url) {
    const agent = agentOf(url, 'writer');
    const first = await play(agent);
    assert.equal(first.types.at(0), 'RUN_STARTED');
    assert.equal(first.types.at(-1), 'RUN_FINISHED');
    assert.deepEqual(first.newMessages.map((message) => message.content), ['One two.']);
    assert.equal(first.result.stopReason, 'finished');
    assert.equal(first.events.at(-1).usage[0].totalTokens, 15);
    agent.addMessage(user('More.'));
    await play(agent);
    const { runs } = await own(url, 'runs?agent=writer&limit=1');
    const stored = await own(url, `threads/${runs[0].thread}/messages`);
    assert.deepEqual(stored.messages.map((message) => message.text), ['Please.', 'One two.', 'More.', 'One two.']);
  },

  async aClientThatReconnectsHasTheMessagesOfItsThread(url) {
    const agent = agentOf(url, 'cook');
    await play(agent);
    const again = new HttpAgent({ url: agent.url, threadId: agent.threadId });
    const played = await play(again);
    assert.equal(played.failure, undefined);
    assert.deepEqual(played.types, ['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    const shown = (messages) => messages.map((message) => [message.role, message.content ?? '']);
    const whole = [
      ['user', 'Please.'],
      ['assistant', ''],
      ['tool', JSON.stringify({ sky: 'blue', city: 'Rome' })],
      ['assistant', 'It is sunny.'],
    ];
    assert.deepEqual(shown(again.messages).map(([role]) => role), whole.map(([role]) => role));
    assert.deepEqual(shown(again.messages).at(-1), whole.at(-1));
    assert.deepEqual(JSON.parse(again.messages[2].content), { sky: 'blue', city: 'Rome' });
    assert.equal(again.messages[2].toolCallId, again.messages[1].toolCalls[0].id);
    again.addMessage(user('And now?'));
    assert.equal((await play(again)).result.text, 'It is sunny.');
    await play(again);
    assert.deepEqual(shown(again.messages).map(([role]) => role).slice(-4), ['user', 'assistant', 'tool', 'assistant']);
    assert.equal(again.messages.filter((message) => message.role === 'user').length, 2);
  },

  async aClientConnectsToARunThatWaits(url) {
    class Connecting extends HttpAgent {
      connect(input) {
        return new HttpAgent({ url: `${this.url}/connect` }).run(input);
      }
    }
    const agent = agentOf(url, 'clerk');
    await play(agent);
    const again = new Connecting({ url: agent.url, threadId: agent.threadId });
    const events = [];
    await again.connectAgent(undefined, { onEvent: ({ event }) => { events.push(event); } });
    const [interrupt] = events.at(-1).outcome.interrupts;
    assert.equal(interrupt.reason, 'tool_approval');
    assert.deepEqual(again.messages.map((message) => message.role), ['user', 'assistant']);
    assert.equal(again.messages[1].toolCalls[0].id, interrupt.toolCallId);
    const resumed = await play(again, {
      resume: [{ interruptId: interrupt.id, status: 'resolved', payload: { approved: true } }],
    });
    assert.equal(resumed.failure, undefined);
    assert.equal(resumed.result.text, 'Paid.');
  },

  async aNetworkHasStepsAndCustomEvents(url) {
    const played = await play(agentOf(url, 'router/network'));
    assert.equal(played.failure, undefined);
    assert.equal(played.result.text, 'One two.');
    assert.equal(played.newMessages.at(-1).content, 'One two.');
    for (const type of ['STEP_STARTED', 'STEP_FINISHED']) {
      assert.equal(of(played, type).filter((event) => !event.subagentRunId).length, 1);
    }
    assert.deepEqual(of(played, 'SUBAGENT_STARTED').map((event) => event.name), ['writer']);
    const choice = of(played, 'CUSTOM').find((event) => event.name === 'routing-agent-end').value;
    assert.deepEqual([choice.primitiveId, choice.selectionReason], ['writer', 'It fits.']);
    const names = of(played, 'CUSTOM').map((event) => event.name);
    assert.ok(names.includes('network-execution-event-step-finish') && names.includes('network-execution-event-finish'));
    assert.equal((await play(agentOf(url, 'host/network'))).newMessages.at(-1).content, 'Welcome.');
  },

  async aWorkflowThatANetworkChoosesSaysNothing(url) {
    const agent = agentOf(url, 'planner/network');
    assert.equal((await play(agent)).failure, undefined);
    assert.deepEqual(agent.messages.map((message) => [message.role, message.content ?? '']), [
      ['user', 'Please.'],
      ['assistant', ''],
      ['tool', '700'],
      ['assistant', '700'],
    ]);
  },

  async aCallOfANetworkIsInterruptedAndResumed(url) {
    for (const id of ['cashier', 'desk']) {
      const agent = agentOf(url, `${id}/network`);
      const first = await play(agent);
      assert.equal(first.failure, undefined);
      const [interrupt] = first.events.at(-1).outcome.interrupts;
      assert.equal(interrupt.reason, 'tool_approval');
      const second = await play(agent, {
        resume: [{ interruptId: interrupt.id, status: 'resolved', payload: { approved: true } }],
      });
      assert.equal(second.failure, undefined);
      assert.match(second.result.text, /paid 7|Paid\./);
    }
  },

  async reasoningIsAMessage(url) {
    const played = await play(agentOf(url, 'thinker'));
    assert.deepEqual(
      played.newMessages.map((message) => [message.role, message.content]),
      [
        ['reasoning', 'Hm.'],
        ['assistant', 'So.'],
      ],
    );
  },

  async aToolIsCalled(url) {
    const played = await play(agentOf(url, 'cook'));
    const call = played.newMessages.find((message) => message.toolCalls)?.toolCalls[0];
    assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Rome' });
    assert.equal(of(played, 'TOOL_CALL_ARGS').map((event) => event.delta).join(''), call.function.arguments);
    const result = played.newMessages.find((message) => message.role === 'tool');
    assert.equal(result.toolCallId, call.id);
    assert.equal(JSON.parse(result.content).sky, 'blue');
    assert.equal(played.newMessages.at(-1).content, 'It is sunny.');
  },

  async theTextAndTheCallsOfAStepAreOneMessage(url) {
    const shown = (messages) =>
      messages.filter((each) => !each.subagentRunId).map((each) => [each.role, each.content || '', each.toolCalls?.length ?? 0]);
    for (const [id, expected] of [
      ['lead', [['user', 'Please.', 0], ['assistant', 'I ask.', 1], ['tool', 'One two.', 0], ['assistant', 'All done.', 0]]],
      ['pair', [['user', 'Please.', 0], ['assistant', '', 2], ['tool', 'x', 0], ['tool', 'x', 0], ['assistant', 'Both.', 0]]],
    ]) {
      const agent = agentOf(url, id);
      const played = await play(agent);
      assert.equal(played.failure, undefined);
      const again = new HttpAgent({ url: agent.url, threadId: agent.threadId });
      await play(again);
      const said = (messages) => shown(messages).map(([role, text, calls]) => [role, role === 'tool' ? 'x' : text, calls]);
      assert.deepEqual(said(agent.messages), expected.map(([role, text, calls]) => [role, role === 'tool' ? 'x' : text, calls]));
      assert.deepEqual(said(again.messages), said(agent.messages));
    }
  },

  async aSubAgentHasEventsOfItsOwn(url) {
    const played = await play(agentOf(url, 'lead'));
    const [start] = of(played, 'SUBAGENT_STARTED');
    assert.equal(start.name, 'writer');
    assert.equal(of(played, 'SUBAGENT_FINISHED')[0].result.text, 'One two.');
    const nested = of(played, 'TEXT_MESSAGE_CONTENT').filter((event) => event.subagentRunId === start.subagentRunId);
    assert.equal(nested.map((event) => event.delta).join(''), 'One two.');
    const text = of(played, 'TEXT_MESSAGE_CONTENT').filter((event) => !event.subagentRunId);
    assert.equal(text.map((event) => event.delta).join('|'), 'I ask.|All done.');
  },

  async anObjectIsTheState(url) {
    const agent = agentOf(url, 'shaped');
    agent.setState({ basket: [1, 2] });
    await play(agent);
    assert.deepEqual(agent.state, { basket: [1, 2], object: { a: 1 } });
    const again = new HttpAgent({ url: agent.url, threadId: agent.threadId });
    await play(again);
    assert.deepEqual(again.state, { object: { a: 1 } });
  },

  async anInterruptIsResolved(url) {
    const agent = agentOf(url, 'clerk');
    const first = await play(agent);
    const [interrupt] = first.events.at(-1).outcome.interrupts;
    assert.equal(interrupt.reason, 'tool_approval');
    assert.deepEqual(interrupt.metadata.arguments, { amount: 7 });
    const resume = [{ interruptId: interrupt.id, status: 'resolved', payload: { approved: true } }];
    const second = await play(agent, { resume });
    assert.equal(second.failure, undefined);
    assert.equal(second.types.at(0), 'RUN_STARTED');
    assert.equal(of(second, 'TOOL_CALL_RESULT')[0].content, 'paid 7');
    assert.equal(second.newMessages.at(-1).content, 'Paid.');
    const again = await play(agentOf(url, 'clerk'), { resume }).catch((e) => ({ failure: e }));
    assert.match(String(again.failure), /409/);
  },

  async anApprovalChangesNoArguments(url) {
    const agent = agentOf(url, 'clerk');
    const [interrupt] = (await play(agent)).events.at(-1).outcome.interrupts;
    assert.equal(interrupt.responseSchema.additionalProperties, false);
    const payload = { approved: true, editedArgs: { amount: 9 } };
    const resume = [{ interruptId: interrupt.id, status: 'resolved', payload }];
    const edited = await play(agent, { resume }).catch((e) => ({ failure: e }));
    assert.match(String(edited.failure), /400.*editedArgs/);
  },

  async aCancelledInterruptDeclines(url) {
    const agent = agentOf(url, 'clerk');
    const [interrupt] = (await play(agent)).events.at(-1).outcome.interrupts;
    const second = await play(agent, { resume: [{ interruptId: interrupt.id, status: 'cancelled' }] });
    assert.equal(of(second, 'TOOL_CALL_RESULT').length, 1);
    assert.equal(second.newMessages.at(-1).content, 'Paid.');
  },

  async aMessageIsSentWithAnAnswer(url) {
    const agent = agentOf(url, 'clerk');
    const [interrupt] = (await play(agent)).events.at(-1).outcome.interrupts;
    const image = { type: 'image', source: { type: 'url', value: 'https://example.com/a.png' } };
    agent.addMessage({ id: 'shown', role: 'user', content: [{ type: 'text', text: 'See.' }, image] });
    const resume = [{ interruptId: interrupt.id, status: 'cancelled' }];
    assert.match(String((await play(agent, { resume }).catch((e) => ({ failure: e }))).failure), /400/);
    agent.setMessages([...agent.messages.slice(0, -1), { id: 'more', role: 'user', content: 'Later.' }]);
    const second = await play(agent, { resume });
    assert.equal(second.events.at(-1).outcome.type, 'interrupt'); // the user has said more, so the agent pays again
    const { messages } = await own(url, `threads/${agent.threadId}/messages`);
    assert.equal(messages.filter((message) => message.text === 'Later.').length, 1);
  },

  async dataIsGiven(url) {
    const agent = agentOf(url, 'form');
    const [interrupt] = (await play(agent)).events.at(-1).outcome.interrupts;
    assert.equal(interrupt.reason, 'tool_data');
    assert.deepEqual(interrupt.metadata.payload, { question: 'Which street?' });
    const resume = [{ interruptId: interrupt.id, status: 'resolved', payload: { street: 'High Street' } }];
    const second = await play(agent, { resume });
    assert.equal(of(second, 'TOOL_CALL_RESULT')[0].content, 'sent to High Street');
  },

  async anInterruptOfASubAgentSuspendsAndOpensItAgain(url) {
    const agent = agentOf(url, 'boss');
    const first = await play(agent);
    assert.equal(first.failure, undefined);
    const [ended] = of(first, 'SUBAGENT_FINISHED');
    const [interrupt] = first.events.at(-1).outcome.interrupts;
    assert.deepEqual(ended.outcome, { type: 'suspended', interruptIds: [interrupt.id] });
    assert.equal(interrupt.subagentRunId, ended.subagentRunId);
    const resume = [{ interruptId: interrupt.id, status: 'resolved', payload: { approved: true } }];
    const second = await play(agent, { resume });
    assert.equal(second.failure, undefined);
    assert.deepEqual(second.types.slice(0, 2), ['RUN_STARTED', 'SUBAGENT_STARTED']);
    assert.equal(second.newMessages.at(-1).content, 'All paid.');
  },

  async aRunIsCancelled(url) {
    const agent = agentOf(url, 'slow');
    let cancelled = false;
    await agent
      .runAgent(undefined, {
        onTextMessageContentEvent: () => {
          cancelled = true;
          agent.abortRun();
        },
      })
      .catch(() => {});
    assert.ok(cancelled);
    await untilStatus(url, 'slow', 'aborted');
  },

  async aRunThatIsCancelledElsewhereSaysSo(url) {
    const agent = agentOf(url, 'slow');
    const played = agent.runAgent(undefined, {
      onTextMessageContentEvent: async () => {
        const { runs } = await own(url, 'runs?agent=slow&limit=1');
        await fetch(`${url}/api/v1/runs/${runs[0].runId}/cancel`, { method: 'POST' });
      },
      onRunFinishedEvent: ({ event }) => {
        agent.outcome = event.outcome;
      },
    });
    await played;
    assert.deepEqual(agent.outcome, { type: 'cancelled' });
  },

  async anErrorInMidStreamEndsTheRun(url) {
    const played = await play(agentOf(url, 'broken')).catch((e) => ({ failure: e, events: [] }));
    const error = played.events.find((event) => event.type === 'RUN_ERROR');
    assert.ok(error?.code === 'model-authentication' || /model-authentication/.test(String(played.failure)));
  },

  async theContextOfThePageIsRead(url) {
    const context = [{ description: 'The page', value: 'Basket' }];
    const agent = agentOf(url, 'writer');
    await play(agent, { context });
    const { runs } = await own(url, 'runs?agent=writer&limit=1');
    const stored = await own(url, `threads/${runs[0].thread}/messages`);
    assert.match(stored.messages[0].text, /The page: Basket[^]*Please\./);
  },

  async aToolOfTheClientFails(url) {
    const tools = [{ name: 'locate', description: 'Returns a place.', parameters: { type: 'object' } }];
    const agent = agentOf(url, 'helper');
    await play(agent, { tools });
    const [call] = agent.messages.at(-1).toolCalls;
    agent.addMessage({ id: 'result', role: 'tool', toolCallId: call.id, content: '', error: 'no signal' });
    const second = await play(agent, { tools });
    assert.equal(second.failure, undefined);
    const { runs } = await own(url, 'runs?agent=helper&limit=1');
    const stored = await own(url, `threads/${runs[0].thread}/messages`);
    assert.match(JSON.stringify(stored.messages), /no signal/);
  },

  async aToolOfTheClientIsCalled(url) {
    const tools = [{ name: 'locate', description: 'Returns a place.', parameters: { type: 'object' } }];
    const agent = agentOf(url, 'helper');
    const first = await play(agent, { tools });
    const [call] = agent.messages.at(-1).toolCalls;
    assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ['locate', { precise: true }]);
    assert.equal(first.types.at(-1), 'RUN_FINISHED');
    agent.addMessage({ id: 'result', role: 'tool', toolCallId: call.id, content: 'Rome' });
    const second = await play(agent, { tools });
    assert.equal(second.failure, undefined);
    assert.deepEqual(second.newMessages.map((message) => [message.role, message.content]), [['assistant', 'You are there.']]);
    assert.equal(of(second, 'TOOL_CALL_RESULT').length, 0);
  },

  async anApprovalAndTheResultOfAToolAreGivenTogether(url) {
    for (const [approved, said] of [[true, 'paid 7'], [false, 'Too much.']]) {
      const agent = agentOf(url, 'scout');
      await play(agent);
      const call = agent.messages.flatMap((each) => each.toolCalls ?? []).find((each) => each.function.name === 'locate');
      agent.addMessage({ id: `result-${++messages}`, role: 'tool', toolCallId: call.id, content: 'Rome' });
      const [interrupt] = agent.pendingInterrupts;
      const resume = [{ interruptId: interrupt.id, status: 'resolved', payload: { approved, reason: 'Too much.' } }];
      const second = await play(agent, { resume });
      assert.equal(second.failure, undefined);
      assert.deepEqual(of(second, 'TOOL_CALL_RESULT').map((event) => event.content), [said]);
      assert.equal(second.result?.text, 'Done.');
    }
  },

  async toolsOfTheClientAreRejected(url) {
    const tools = [{ name: 'f', description: 'F.', parameters: { type: 'object' } }];
    await assert.rejects(agentOf(url, 'writer').runAgent({ tools }), /400/);
  },
});

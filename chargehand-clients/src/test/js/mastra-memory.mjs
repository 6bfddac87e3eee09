// Mastra's client for JavaScript: threads and their messages, working memory, and what is not offered.

import assert from 'node:assert/strict';
import { agentOf, chunksOf, clientOf, network, stream, textOf } from './mastra-client.mjs';
import { run, until } from './scenarios.mjs';

await run({
  async threadsAreKept(url) {
    const client = clientOf(url);
    const thread = await client.createMemoryThread({
      agentId: 'writer',
      resourceId: 'ann',
      threadId: 'holidays',
      title: 'Holidays',
    });
    await stream(url, 'writer', { memory: { thread: 'holidays', resource: 'ann' } });
    const found = client.getMemoryThread({ threadId: 'holidays', agentId: 'writer' });
    assert.equal((await found.get()).id, thread.id);
    const { messages, uiMessages, total } = await found.listMessages();
    assert.deepEqual(messages.map((each) => [each.role, each.content.content]), [
      ['user', 'Please.'],
      ['assistant', 'One two.'],
    ]);
    assert.equal(uiMessages[1].parts[0].text, 'One two.');
    assert.equal(total, 2);
    assert.equal((await found.update({ title: 'Trips', metadata: {}, resourceId: 'ann' })).title, 'Trips');
    const { threads } = await client.listMemoryThreads({ agentId: 'writer', resourceId: 'ann' });
    assert.ok(threads.some((each) => each.id === thread.id));
    const clone = await found.clone();
    assert.equal(clone.clonedMessages.length, 2);
    await found.delete();
    await assert.rejects(found.get(), (e) => e.status === 404);
    assert.equal((await client.getMemoryStatus('writer')).result, true);
  },

  async aPageOfMessagesHasCallsAndTheirResults(url) {
    const memory = { thread: 'weather', resource: 'ann' };
    assert.equal(textOf(await chunksOf(await agentOf(url, 'cook').streamUntilIdle('Please.', { memory }))), 'It is sunny.');
    const thread = clientOf(url).getMemoryThread({ threadId: 'weather', agentId: 'cook' });
    const { messages, uiMessages } = await thread.listMessages();
    assert.deepEqual(messages.map((each) => each.content.parts.map((part) => part.type)), [
      ['text'],
      ['tool-invocation'],
      ['text'],
    ]);
    const { toolInvocation } = messages[1].content.parts[0];
    assert.deepEqual(
      { ...toolInvocation, toolCallId: '' },
      {
        state: 'result',
        toolCallId: '',
        toolName: 'weather',
        args: { city: 'Rome' },
        result: { sky: 'blue', city: 'Rome' },
      },
    );
    assert.deepEqual(uiMessages[1].parts, messages[1].content.parts);
    const newest = await thread.listMessages({ perPage: 2 });
    assert.equal(newest.messages[0].content.parts[0].toolInvocation.state, 'result');
    assert.deepEqual([newest.total, newest.hasMore], [3, true]);
  },

  async aPageOfThreadsHasTheirNumber(url) {
    const client = clientOf(url);
    for (const threadId of ['one', 'two', 'three']) {
      await client.createMemoryThread({ agentId: 'writer', resourceId: 'ann', threadId });
    }
    const page = (perPage) => client.listMemoryThreads({ agentId: 'writer', resourceId: 'ann', perPage });
    const { threads, total } = await page(100);
    const times = threads.map((each) => Date.parse(each.createdAt));
    assert.deepEqual(times, times.toSorted((a, b) => b - a));
    assert.equal(total, threads.length);
    assert.ok(total > 2);
    const first = await page(1);
    assert.deepEqual([first.threads.length, first.total, first.hasMore], [1, total, true]);
    const beyond = await client.listMemoryThreads({ agentId: 'writer', resourceId: 'ann', page: 9, perPage: 50 });
    assert.deepEqual([beyond.threads, beyond.total, beyond.hasMore], [[], total, false]);
  },

  async aThreadKeepsItsResourceAndItsMetadataIsAnObject(url) {
    const client = clientOf(url);
    const thread = { agentId: 'writer', resourceId: 'ann', threadId: 'kept' };
    await client.createMemoryThread({ ...thread, title: null, metadata: null });
    const kept = client.getMemoryThread({ threadId: 'kept', agentId: 'writer' });
    await assert.rejects(kept.update({ resourceId: 'bob' }), (e) => e.status === 400);
    await assert.rejects(kept.update({ metadata: [1] }), (e) => e.status === 400);
    assert.deepEqual((await kept.update({ resourceId: 'ann', metadata: { a: 1 } })).metadata, { a: 1 });
  },

  async theThreadOfANetworkIsReadAndDeleted(url) {
    const client = clientOf(url);
    await network(url, 'host', { memory: { thread: 'hosted', resource: 'ann' } });
    const { messages } = await client.listThreadMessages('hosted', { networkId: 'host' });
    assert.deepEqual(messages.map((each) => each.role), ['user', 'assistant']);
    await client.deleteThread('hosted', { networkId: 'host' });
    await assert.rejects(client.listThreadMessages('hosted', { networkId: 'host' }), (e) => e.status === 404);
  },

  async theTextsOfAMessageStayApart(url) {
    const client = clientOf(url);
    const thread = { agentId: 'writer', resourceId: 'ann', threadId: 'apart' };
    await client.createMemoryThread(thread);
    const parts = [{ type: 'text', text: 'One.' }, { type: 'text', text: 'Two.' }];
    const place = { threadId: 'apart', resourceId: 'ann', createdAt: new Date() };
    const { messages } = await client.saveMessageToMemory({
      agentId: 'writer',
      messages: [
        { ...place, id: 'a1', role: 'user', content: { format: 2, parts } },
        { ...place, id: 'a2', role: 'assistant', content: parts, type: 'text' },
      ],
    });
    for (const each of [messages[0], messages[1]]) {
      assert.deepEqual([each.content.parts, each.content.content], [parts, 'One.Two.']);
    }
    const again = await client.saveMessageToMemory({
      agentId: 'writer',
      messages: [
        { ...place, role: 'user', content: 'Three.' },
        { ...place, id: 'a1', role: 'user', content: 'Four.' },
      ],
    });
    assert.deepEqual(again.messages.map((each) => each.content.content), ['Three.', 'One.Two.']);
  },

  async aCallThatHasFailedIsMarked(url) {
    const { messages: answer } = await agentOf(url, 'porter').generate('Please.', {
      memory: { thread: 'failed', resource: 'ann' },
    });
    const { messages } = await clientOf(url).getMemoryThread({ threadId: 'failed', agentId: 'writer' }).listMessages();
    for (const list of [answer, messages]) {
      const calls = list.flatMap((each) => each.content.parts).filter((part) => part.type === 'tool-invocation');
      assert.deepEqual(calls.map((part) => [part.toolInvocation.state, part.toolInvocation.isError]), [['result', true]]);
    }
  },

  async aSearchByMeaningNamesTheThreadOfAMessage(url) {
    const client = clientOf(url);
    const memory = { thread: { id: 'meant', title: 'Meant' }, resource: 'ann' };
    await stream(url, 'reader', { memory });
    const search = { agentId: 'reader', resourceId: 'ann', searchQuery: 'Please.' };
    await until(async () => (await client.searchMemory(search)).count > 0);
    const { results, searchType } = await client.searchMemory(search);
    assert.equal(searchType, 'semantic');
    assert.deepEqual([results[0].threadId, results[0].threadTitle], ['meant', 'Meant']);
    assert.ok(new Date(results[0].createdAt) > 0);
  },

  async aThreadHasTheIdThatTheClientHasChosen(url) {
    const client = clientOf(url);
    const thread = { agentId: 'writer', resourceId: 'ann', threadId: 'chosen', metadata: { kind: 'chosen' } };
    assert.equal((await client.createMemoryThread(thread)).id, 'chosen');
    const memory = { thread: { id: 'said', title: 'Said', metadata: { kind: 'chosen' } }, resource: 'ann' };
    await stream(url, 'writer', { memory });
    const list = (options) => client.listMemoryThreads({ agentId: 'writer', resourceId: 'ann', ...options });
    const { threads } = await list({
      metadata: { kind: 'chosen' },
      orderBy: { field: 'createdAt', direction: 'ASC' },
      perPage: false,
    });
    assert.deepEqual(threads.map((each) => each.id), ['chosen', 'said']);
    const said = client.getMemoryThread({ threadId: 'said', agentId: 'writer' });
    assert.equal((await said.get()).title, 'Said');
    const oldest = await said.listMessages({ orderBy: { field: 'createdAt', direction: 'ASC' }, perPage: 1 });
    assert.deepEqual(oldest.messages.map((each) => [each.role, each.threadId]), [['user', 'said']]);
    const answers = await said.listMessages({ filter: { roles: ['assistant'], dateRange: { start: new Date(0) } } });
    assert.deepEqual(answers.messages.map((each) => each.content.content), ['One two.']);
    const copy = await said.clone({ newThreadId: 'copied', options: { messageLimit: 1 } });
    assert.deepEqual([copy.thread.id, copy.clonedMessages.length], ['copied', 1]);
    await assert.rejects(said.clone({ newThreadId: 'copied' }), (e) => e.status === 409);
  },

  async anAgentTellsHowItRemembers(url) {
    const client = clientOf(url);
    const { config } = await client.getMemoryConfig({ agentId: 'diary' });
    assert.deepEqual([config.workingMemory.template, config.semanticRecall], ['# Notes', false]);
    assert.equal((await client.getMemoryStatus('diary')).observationalMemory.enabled, false);
    const observed = { resourceId: 'ann', threadId: 'observed' };
    const { observationalMemory } = await client.getMemoryStatus('observer', undefined, observed);
    assert.deepEqual(observationalMemory, { enabled: true, hasRecord: false });
    for (const text of ['One. ', 'Two. ', 'Three. ']) {
      const memory = { thread: 'observed', resource: 'ann' };
      await chunksOf(await agentOf(url, 'observer').stream(text.repeat(80), { memory }));
    }
    const status = async () => (await client.getMemoryStatus('observer', undefined, observed)).observationalMemory;
    await until(async () => (await status()).hasRecord);
    const { lastObservedAt, observationTokenCount, ...others } = await status();
    assert.ok(new Date(lastObservedAt) > 0 && observationTokenCount > 0);
    assert.deepEqual(others, {
      enabled: true,
      hasRecord: true,
      originType: 'observation',
      isObserving: false,
      isReflecting: false,
    });
    const place = { agentId: 'diary', resourceId: 'ann', threadId: 'diary' };
    assert.equal((await client.getObservationalMemory(place)).record, null);
    assert.equal((await client.awaitBufferStatus(place)).record, null);
  },

  async whatIsNotKeptIsAnEmptyList(url) {
    const client = clientOf(url);
    assert.deepEqual(await agentOf(url, 'writer').voice.getSpeakers(), []);
    assert.equal((await agentOf(url, 'writer').voice.getListener()).enabled, false);
    assert.deepEqual(await client.listScorers(), {});
    assert.deepEqual((await client.listScoresByRunId({ runId: 'r', page: 0, perPage: 5 })).scores, []);
    assert.deepEqual((await client.listTraces()).spans, []);
    assert.deepEqual((await client.listBranches()).branches, []);
    assert.deepEqual((await client.listLogsVNext()).logs, []);
    assert.deepEqual((await client.listFeedback()).feedback, []);
    assert.deepEqual((await client.listScoresBySpan({ traceId: 't', spanId: 's' })).scores, []);
    assert.deepEqual(await client.queryTraces({}), { traces: [], page: { next: null } });
    assert.deepEqual((await client.getEntityTypes()).entityTypes, []);
    assert.deepEqual((await client.getTags()).tags, []);
    assert.deepEqual((await client.getMetricLabelValues({ metricName: 'm', labelKey: 'k' })).values, []);
    assert.deepEqual((await client.listLogTransports()).transports, []);
    assert.deepEqual((await client.listLogs({ transportId: 't' })).logs, []);
  },

  async messagesAreStoredFoundAndDeleted(url) {
    const client = clientOf(url);
    await client.createMemoryThread({ agentId: 'writer', resourceId: 'ann', threadId: 'notes', title: 'Notes' });
    const { messages: saved } = await client.saveMessageToMemory({
      agentId: 'writer',
      messages: [
        { id: 'm1', role: 'user', content: 'The boat is blue.', threadId: 'notes', resourceId: 'ann', type: 'text' },
        {
          id: 'm2',
          role: 'assistant',
          content: { format: 2, parts: [{ type: 'text', text: 'I see.' }] },
          threadId: 'notes',
          resourceId: 'ann',
        },
      ],
    });
    assert.deepEqual(saved.map((each) => [each.id, each.content.content]), [['m1', 'The boat is blue.'], ['m2', 'I see.']]);
    const search = { agentId: 'writer', resourceId: 'ann', searchQuery: 'BLUE' };
    const found = await client.searchMemory(search);
    assert.equal(found.count, 1);
    assert.equal(found.results[0].content, 'The boat is blue.');
    assert.equal(found.results[0].threadTitle, 'Notes');
    assert.equal(found.searchScope, 'resource');
    const thread = client.getMemoryThread({ threadId: 'notes', agentId: 'writer' });
    assert.equal((await thread.deleteMessages([{ id: 'm1' }])).success, true);
    assert.deepEqual((await thread.listMessages()).messages.map((each) => each.id), ['m2']);
    assert.equal((await client.searchMemory({ ...search, threadId: 'notes' })).count, 0);
    await assert.rejects(thread.deleteMessages('m1'), (e) => e.status === 404);
  },

  async aWorkingMemoryIsReadAndChanged(url) {
    const client = clientOf(url);
    const place = { agentId: 'diary', threadId: 'diary', resourceId: 'ann' };
    await client.createMemoryThread({ ...place, title: 'Diary' });
    const before = await client.getWorkingMemory(place);
    assert.equal(before.workingMemory, null);
    assert.equal(before.workingMemoryTemplate.content, '# Notes');
    assert.equal(before.threadExists, true);
    assert.equal((await client.updateWorkingMemory({ ...place, workingMemory: '# Likes boats' })).success, true);
    assert.equal((await client.getWorkingMemory({ agentId: 'diary', threadId: 'diary' })).workingMemory, '# Likes boats');
  },

  async whatIsNotOfferedIsMissing(url) {
    const client = clientOf(url);
    const agent = agentOf(url, 'writer');
    const missing = [
      () => agentOf(url, 'nobody').generate('Please.'),
      () => client.getTool('weather').execute({ data: {} }),
      () => agentOf(url, 'cook').executeTool('weather', { data: {} }),
      () => agent.generateLegacy({ messages: 'Please.' }),
      () => agent.streamLegacy({ messages: 'Please.' }),
      () => agent.recover({ runId: 'r' }),
      () => agent.listVersions(),
      () => agent.updateModel({ modelId: 'm', provider: 'p' }),
      () => client.getMemoryThread({ threadId: 'holidays', agentId: 'writer' }).transfer({ resourceId: 'bob' }),
      () => agent.voice.speak('Please.'),
      () => client.getScorer('s'),
      () => client.getTrace('t'),
      () => client.getMcpServers(),
      () => client.getBackgroundTask('t'),
      () => client.listSchedules(),
      () => client.listVectors(),
      () => client.listStoredAgents(),
      () => client.listDatasets(),
      () => client.listWorkspaces(),
    ];
    for (const call of missing) {
      await assert.rejects(call(), (e) => e.status === 404 && typeof e.body.error === 'string', String(call));
    }
    const clientTools = { f: { id: 'f', description: 'F.', inputSchema: { type: 'object' } } };
    await assert.rejects(agentOf(url, 'writer').generate('Please.', { clientTools }), (e) => e.status === 400);
  },
});

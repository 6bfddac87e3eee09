package dev.chargehand.bench;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.bench.disk.Folders;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.models.OpenAiCompatibleProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Makes the runs of one agent with Chargehand, on its in-memory store or a SQLite file of its own. */
final class ChargehandContender implements Contender {

    /** How many messages the conversation has that {@link #onLongThread} continues. */
    static final int LONG_THREAD = 10_000;

    private static final String FILE = "bench.db";
    private static final int MESSAGES_AT_ONCE = 1_000;

    private final AgentRuntime runtime;
    private final Agent agent;
    private final BiConsumer<String, RunOptions.Builder> options;
    private final boolean watched;
    private final @Nullable Path folder;

    private ChargehandContender(
            String baseUrl,
            Agent agent,
            BiConsumer<String, RunOptions.Builder> options,
            boolean watched,
            @Nullable Path folder) {
        AgentRuntimeBuilder builder = AgentRuntime.builder()
                .providers(OpenAiCompatibleProvider.builder()
                        .provider("bench", baseUrl, "no-key")
                        .build())
                .agents(agent);
        if (folder != null) {
            builder.store(JdbcStore.sqlite(folder.resolve(FILE)));
        }
        this.runtime = builder.build();
        this.agent = runtime.agent(agent.id());
        this.options = options;
        this.watched = watched;
        this.folder = folder;
    }

    /** Make runs in memory of which only the result is read. */
    static ChargehandContender inMemory(String baseUrl, Agent agent) {
        return new ChargehandContender(baseUrl, agent, (marker, options) -> {}, false, null);
    }

    /** Make runs in memory whose events the caller reads. */
    static ChargehandContender watched(String baseUrl, Agent agent) {
        return new ChargehandContender(baseUrl, agent, (marker, options) -> {}, true, null);
    }

    /** Make runs on SQLite, each on a thread of its own. */
    static ChargehandContender onThreads(String baseUrl, Agent agent) {
        return new ChargehandContender(
                baseUrl, agent, (marker, options) -> options.thread(marker), false, Folders.temporary());
    }

    /** Make runs on SQLite, all on one thread that has thousands of messages already. */
    static ChargehandContender onLongThread(String baseUrl, Agent agent) {
        ChargehandContender made = new ChargehandContender(
                baseUrl, agent, (marker, options) -> options.thread("long"), false, Folders.temporary());
        for (int i = 0; i < LONG_THREAD / MESSAGES_AT_ONCE; i++) {
            List<Message> messages = new ArrayList<>();
            while (messages.size() < MESSAGES_AT_ONCE - 1) { // the answer is the last
                int number = messages.size();
                messages.add(
                        number % 2 == 0
                                ? Message.user("Question " + number + ": what was said before, and what comes of it?")
                                : Message.assistant(
                                        "Answer " + number + ": that it was said before, and little more."));
            }
            made.agent.generate(messages, o -> made.options.accept("", o));
        }
        return made;
    }

    /** Return the file of the store of a contender that has one. */
    Path file() {
        return Objects.requireNonNull(folder).resolve(FILE);
    }

    @Override
    public String run(String marker) {
        String prompt = "please work on " + marker;
        return watched
                ? watched(agent.stream(prompt, o -> options.accept(marker, o)))
                : agent.generate(prompt, o -> options.accept(marker, o)).text();
    }

    /** Read all events; what they say must be the answer. */
    private static String watched(RunStream run) {
        StringBuilder text = new StringBuilder();
        try (run) {
            for (RunEvent event : run) {
                if (event instanceof RunEvent.TextDelta delta && delta.runId().equals(run.runId())) {
                    text.append(delta.text());
                }
            }
            String answer = run.result().text();
            return answer.contentEquals(text) ? answer : "The events say something else than the result.";
        }
    }

    @Override
    public void close() {
        runtime.close();
        if (folder != null) {
            Folders.delete(folder);
        }
    }
}

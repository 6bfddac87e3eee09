package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.memory.RecallOptions;
import dev.chargehand.memory.Scope;
import dev.chargehand.server.internal.route.HttpWords;
import dev.chargehand.server.internal.wire.Body;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What a request changes about the memory of its run: {@code memory.options}. Options that only an agent sets are rejected. */
public final class RunMemory {

    /** The most messages of a thread that a request can ask for. */
    private static final int MOST = 1_000;

    private static final List<String> OF_AGENTS = List.of("workingMemory", "observationalMemory");

    private static final List<String> SWITCHES = List.of("true", "false");

    private RunMemory() {}

    /** Return the options of a run. */
    public static Consumer<RunOptions.Builder> of(Agent agent, Body options) {
        OF_AGENTS.forEach(name -> options.json(name).ifPresent(value -> {
            throw options.problem(name, "is not offered: an agent has a memory of its own");
        }));
        MemoryOptions changed = lastMessages(options, MemoryOptions.DEFAULT);
        changed = options.flag("readOnly") ? changed.readOnly() : changed;
        MemoryOptions memory = recall(agent, options, changed);
        return memory.equals(MemoryOptions.DEFAULT) ? run -> {} : run -> run.memory(before -> memory);
    }

    /** Read a number; false is none. */
    private static MemoryOptions lastMessages(Body options, MemoryOptions memory) {
        Optional<Json> sent = options.json("lastMessages");
        if (sent.isEmpty()) {
            return memory;
        }
        int count = text(sent.get()).equals("false")
                ? 0
                : options.number("lastMessages", 0).orElseThrow();
        if (count > MOST) {
            throw options.problem("lastMessages", "must not be above " + MOST);
        }
        return memory.lastMessages(count);
    }

    private static MemoryOptions recall(Agent agent, Body options, MemoryOptions memory) {
        Optional<Json> sent = options.json("semanticRecall");
        if (sent.filter(value -> SWITCHES.contains(text(value))).isPresent()) {
            return options.flag("semanticRecall") ? memory : memory.withoutSemanticRecall();
        }
        Optional<Body> wanted = options.object("semanticRecall");
        if (wanted.isEmpty()) {
            return memory;
        }
        try {
            return memory.semanticRecall(recall -> recall(agent, wanted.get(), recall));
        } catch (ConfigurationException e) {
            throw options.problem("semanticRecall", "has a value that is not possible. " + HttpWords.of(e));
        }
    }

    private static RecallOptions recall(Agent agent, Body wanted, RecallOptions recall) {
        RecallOptions changed = wanted.number("topK").map(recall::topK).orElse(recall);
        if (wanted.json("messageRange").filter(Json::isObject).isPresent()) {
            Body range = wanted.object("messageRange").orElseThrow();
            changed = changed.messageRange(
                    range.number("before", 0).orElse(0),
                    range.number("after", 0).orElse(0));
        } else if (wanted.json("messageRange").isPresent()) {
            int range = wanted.number("messageRange", 0).orElseThrow();
            changed = changed.messageRange(range, range);
        }
        return wanted.id("scope").isEmpty() ? changed : changed.scope(scope(agent, wanted));
    }

    /** Read where to search: an agent that searches one thread does not search others for a request. */
    private static Scope scope(Agent agent, Body wanted) {
        boolean isWide = agent.memory()
                .semanticRecall()
                .filter(recall -> recall.scope() == Scope.RESOURCE)
                .isPresent();
        return switch (wanted.requiredId("scope")) {
            case "thread" -> Scope.THREAD;
            case "resource" -> {
                if (!isWide) {
                    throw wanted.problem("scope", "must be 'thread': the agent searches no other threads");
                }
                yield Scope.RESOURCE;
            }
            default -> throw wanted.problem("scope", "must be 'thread' or 'resource'");
        };
    }

    private static String text(Json value) {
        return value.text().strip();
    }
}

package dev.chargehand.tests.kill;

import dev.chargehand.Agent;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A supervisor, a worker, and two tools with an effect outside: each execution leaves a line in a ledger.
 *
 * <p>The model is a function of the conversation, so an undisturbed run and a resumed one can end alike.
 */
final class Crew {

    static final String ANSWER = "The crew is done.";

    record Entry(String what) {}

    private Crew() {}

    static Agent supervisor(Path ledger, Moment moment) {
        Tool unsafe = Tool.builder("book", "Books something, once.")
                .input(Entry.class)
                .requiresApproval(in -> moment.isAfterAnEvent())
                .handler((in, context) -> {
                    moment.reach("before-effect");
                    write(ledger, "book " + context.callId());
                    moment.reach("after-effect");
                    return "booked";
                })
                .build();
        Tool repeatable = Tool.builder("note", "Notes something; the key tells doubles.")
                .input(Entry.class)
                .repeatable()
                .handler((in, context) -> {
                    write(ledger, "note " + context.idempotencyKey());
                    moment.reach("after-repeatable-effect");
                    return "noted";
                })
                .build();
        Agent worker = Agent.builder("worker")
                .description("Books and notes.")
                .instructions("You are the worker.")
                .model("kill/worker")
                .tools(unsafe, repeatable)
                .build();
        return Agent.builder("supervisor")
                .instructions("You are the supervisor.")
                .model("kill/supervisor")
                .agents(worker)
                .build();
    }

    static OpenAiCompatibleProvider models(String baseUrl) {
        return OpenAiCompatibleProvider.builder()
                .provider("kill", baseUrl, "no-key")
                .build();
    }

    /** Plays both models: whoever has results answers, whoever has none asks for them. */
    static Reply play(ReceivedRequest request) {
        boolean hasResults = request.messages().getLast().role().equals("tool");
        if (request.model().equals("supervisor")) {
            return hasResults
                    ? Reply.text("The crew ", "is done.")
                    : Reply.toolCalls(Reply.call("c1", "agent-worker", "{\"prompt\":\"Book and note it.\"}"));
        }
        return hasResults
                ? Reply.text("All ", "booked and noted.")
                : Reply.toolCalls(
                        Reply.call("w1", "book", "{\"what\":\"a room\"}"),
                        Reply.call("w2", "note", "{\"what\":\"the room\"}"));
    }

    private static void write(Path ledger, String line) {
        try {
            Files.write(
                    ledger,
                    (line + "\n").getBytes(StandardCharsets.UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

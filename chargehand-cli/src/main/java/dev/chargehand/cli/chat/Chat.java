package dev.chargehand.cli.chat;

import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.background.Task;
import dev.chargehand.cli.live.Typed;
import dev.chargehand.cli.output.ThreadLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.message.Message;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadRecord;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A conversation: executes the typed lines until the user leaves. Used by one thread. */
final class Chat {

    /** How much of an earlier conversation is shown to know where one is. */
    private static final int REMINDER = 4;

    private static final int BRIEF = 100;

    private final Shell shell;
    private final ChatPartner partner;
    private final Conversation talk;
    private final ChatTurns turns;
    private final TenantRuntime runtime;
    private final BiConsumer<Conversation, RunOptions.Builder> options;
    private @Nullable String nextModel;
    private boolean left;

    /**
     * Make it.
     *
     * @param options sets what every turn has in common
     */
    Chat(
            Shell shell,
            ChatPartner partner,
            Conversation talk,
            ChatTurns turns,
            TenantRuntime runtime,
            BiConsumer<Conversation, RunOptions.Builder> options) {
        this.shell = shell;
        this.partner = partner;
        this.talk = talk;
        this.turns = turns;
        this.runtime = runtime;
        this.options = options;
    }

    /**
     * Run the conversation until the input ends, the user leaves or selects another model.
     *
     * @return the model to continue with; empty if the conversation is over
     */
    Optional<String> talk(SlashCommands commands) {
        while (!left && nextModel == null && !shell.signals().isEnding()) {
            switch (partner.next()) {
                case Typed.Message message -> passOn(message.text().strip(), commands);
                case Typed.Cleared cleared -> {
                    if (cleared.nothing()) {
                        partner.show("Ctrl-D or /exit leaves.");
                    }
                }
                case Typed.Left ignored -> left = true;
            }
        }
        if (nextModel != null && !shell.signals().isEnding()) {
            return Optional.of(nextModel);
        }
        if (!turns.wasReleased()) {
            talk.tasks().forEach(this::tellOf);
        }
        if (turns.wasReleased()) { // and its store is closed
            partner.show("Continue later with: " + talk.continueCommand() + ", and continue the run with /resume.");
        } else {
            talk.record().ifPresent(thread -> partner.show("Continue later with: " + talk.continueCommand()));
        }
        return Optional.empty();
    }

    /** Continue with another model after the current action. */
    void continueWith(String model) {
        nextModel = model;
    }

    /** End it after the current action. */
    void leave() {
        left = true;
    }

    private void passOn(String text, SlashCommands commands) {
        if (text.startsWith("/") && !text.startsWith("//")) {
            commands.carryOut(text);
        } else if (!text.isEmpty()) {
            say(text.startsWith("//") ? text.substring(1) : text);
        }
    }

    private void say(String message) {
        boolean waits = turns.say(runtime.agent(talk.agent().id()), message, builder -> options.accept(talk, builder));
        if (waits && partner.asked() != null) {
            partner.show("You can continue meanwhile; /resume asks again.");
        }
        // Nobody is there to go on after a script was interrupted.
        left |= shell.terminal() == null && shell.signals().wasAsked();
    }

    /** Show the current thread, its messages, and its unfinished runs. */
    void welcome() {
        Optional<ThreadRecord> record = talk.record();
        String thread = "thread " + Visible.line(talk.thread(), 80);
        partner.show(record.map(found -> thread + ", " + found.length() + " messages since "
                                + found.createdAt().truncatedTo(ChronoUnit.SECONDS))
                        .orElse(thread + " is new")
                + "; " + talk.agent().id() + " answers. /help lists the commands.");
        if (record.isEmpty()) {
            partner.show("Continue it later with: " + talk.continueCommand());
        } else {
            remind(record.get());
        }
        talk.unended().forEach(this::tellOf);
    }

    private void remind(ThreadRecord thread) {
        List<Message> said = talk.messages(thread, 10L * REMINDER).stream()
                .filter(message -> ThreadLines.isSaid(message))
                .toList();
        List<Message> last = said.subList(Math.max(0, said.size() - REMINDER), said.size());
        if (last.size() < thread.length()) {
            partner.show("  /history shows all of it; the latest messages:");
        }
        last.forEach(message -> partner.show("  " + ThreadLines.brief(message, BRIEF)));
    }

    private void tellOf(Task task) {
        partner.show("Background task " + task.id() + " of " + task.agentId() + " has not ended. Continue it with: "
                + talk.recoverCommand());
    }

    private void tellOf(RunRecord run) {
        partner.show(
                switch (run.status()) {
                    case SUSPENDED -> "Run " + run.runId() + " waits for an answer: /resume asks for it.";
                    default ->
                        "Run " + run.runId() + " has not ended. If "
                                + (talk.isAtWork(run) ? "no other process executes it" : "a crash interrupted it")
                                + ", /resume continues it.";
                });
    }
}

package dev.chargehand.cli.chat;

import dev.chargehand.TenantRuntime;
import dev.chargehand.cli.live.LineEditor.Choice;
import dev.chargehand.cli.output.Table;
import dev.chargehand.cli.output.ThreadLines;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.runs.RunStory;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.Crew;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The commands of a conversation: lines that start with a slash. Used by one thread. */
final class SlashCommands {

    private static final int LISTED = 50;

    private final Chat chat;
    private final ChatPartner partner;
    private final Conversation talk;
    private final ChatTurns turns;
    private final TenantRuntime runtime;
    private final AgentsFile file;
    private final Crew crew;
    private final Hints hints;
    private final ThreadExport export;
    private final Consumer<String> tryModel;
    private final List<Slash> all = List.of(
            new Slash("/help", "", "list the commands", unused -> help()),
            new Slash("/exit", "", "leave", unused -> exit()),
            new Slash("/new", "[ID]", "start another thread", this::begin),
            new Slash("/thread", "[ID]", "show the current thread, or switch to another one", this::thread),
            new Slash("/threads", "", "list the threads", unused -> threads()),
            new Slash("/history", "[N]", "show the last messages of the thread, 50 by default", this::history),
            new Slash("/agent", "[ID]", "list the agents, or switch to another one", this::agent),
            new Slash("/model", "[NAME]", "show the models, or let all agents use another one", this::model),
            new Slash("/retry", "", "send the last message again, in a copy of the thread", unused -> branches()
                    .retry()),
            new Slash("/edit", "MESSAGE", "send this in place of the last message, in a copy", text -> branches()
                    .edit(text)),
            new Slash("/fork", "MESSAGE", "continue with this message in a copy of the thread", text -> branches()
                    .fork(text)),
            new Slash("/export", "[FILE]", "write the thread to a file, as Markdown or .json", this::export),
            new Slash("/show", "", "show what happened in the last run", unused -> show()),
            new Slash("/usage", "", "count the tokens of this chat so far, and their cost", unused -> usage()),
            new Slash("/resume", "", "continue runs of the thread that were interrupted or wait", unused -> resume()));

    /** A command; arguments in brackets are optional. */
    private record Slash(String name, String argument, String says, Consumer<String> action) {}

    /**
     * Make them.
     *
     * @param tryModel throws a {@link ConfigurationException} for a model that agents of the file cannot use
     */
    SlashCommands(
            Chat chat,
            ChatPartner partner,
            Conversation talk,
            ChatTurns turns,
            TenantRuntime runtime,
            AgentsFile file,
            Crew crew,
            Hints hints,
            ThreadExport export,
            Consumer<String> tryModel) {
        this.export = export;
        this.tryModel = tryModel;
        this.chat = chat;
        this.partner = partner;
        this.talk = talk;
        this.turns = turns;
        this.runtime = runtime;
        this.file = file;
        this.crew = crew;
        this.hints = hints;
    }

    /** Execute a line, and show failures. */
    void carryOut(String line) {
        String[] words = line.split("\\s+", 2);
        String argument = words.length == 2 ? words[1].strip() : "";
        try {
            find(words[0], argument).action().accept(argument);
        } catch (ChargehandException e) {
            turns.mistaken(e);
        }
    }

    private Slash find(String name, String argument) {
        Slash found = all.stream()
                .filter(slash -> slash.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ConfigurationException("There is no command '" + Visible.line(name, 100) + "'."
                        + NameSuggestions.meant(
                                name, all.stream().map(Slash::name).toList())
                        + " /help lists the commands; a message that starts with a slash is written with two."));
        if (found.argument().isEmpty() && !argument.isEmpty()) {
            throw new ConfigurationException(name + " takes no argument; remove '" + Visible.line(argument, 100)
                    + "'. /help lists the commands.");
        }
        return found;
    }

    /** Return the possible completions of a line. */
    List<Choice> after(List<String> words) {
        if (words.isEmpty() || !words.getFirst().startsWith("/")) {
            return List.of();
        }
        if (words.size() == 1) {
            return all.stream()
                    .map(slash -> new Choice(slash.name(), slash.says()))
                    .toList();
        }
        return switch (words.size() == 2 ? words.getFirst() : "") {
            case "/agent" ->
                agents().map(entry -> new Choice(entry.id(), Visible.line(entry.description(), 60)))
                        .toList();
            case "/thread" ->
                talk.others(LISTED).stream()
                        .map(thread -> new Choice(thread.threadId(), ThreadLines.title(thread)))
                        .filter(choice -> choice.word().equals(Visible.line(choice.word(), 200)))
                        .toList();
            default -> List.of();
        };
    }

    private void help() {
        show(Table.lines(all.stream()
                .map(slash -> List.of((slash.name() + " " + slash.argument()).strip(), slash.says()))
                .toList()));
        partner.show("");
        partner.show(partner.keys());
    }

    private void exit() {
        chat.leave();
    }

    private void begin(String id) {
        String name = id.isEmpty() ? talk.fresh() : one("/new", id);
        if (!name.equals(talk.thread())) {
            talk.moveTo(name);
        }
        if (talk.record().isPresent()) {
            partner.show("It exists already.");
        }
        chat.welcome();
    }

    private void thread(String id) {
        if (!id.isEmpty()) {
            go(one("/thread", id));
            return;
        }
        AgentEntry agent = talk.agent();
        show(Table.lines(List.of(
                List.of("thread", Visible.line(talk.thread(), 200)),
                List.of(
                        "resource",
                        talk.resource().map(name -> Visible.line(name, 200)).orElse("none")),
                List.of(
                        "messages",
                        String.valueOf(talk.record().map(ThreadRecord::length).orElse(0L))),
                List.of("agent", agent.id()),
                List.of("model", Visible.line(String.join(", then ", crew.models(agent)), 200)),
                List.of("come back", talk.continueCommand()))));
    }

    private void go(String id) {
        List<String> there = new ArrayList<>();
        talk.others(LISTED).forEach(thread -> there.add(thread.threadId()));
        String before = talk.thread();
        talk.moveTo(id);
        if (talk.record().isEmpty()) {
            talk.moveTo(before);
            throw new ConfigurationException("There is no thread '" + Visible.line(id, 100) + "'."
                    + NameSuggestions.meant(id, there) + " /threads lists the existing ones, and /new "
                    + Visible.line(id, 100)
                    + " starts it.");
        }
        chat.welcome();
    }

    private static String one(String command, String id) {
        if (id.contains(" ")) {
            throw new ConfigurationException(command + " takes one word, but there are several.");
        }
        return id;
    }

    private void threads() {
        List<ThreadRecord> threads = talk.others(LISTED);
        if (threads.isEmpty()) {
            partner.show("There are no threads yet.");
            return;
        }
        show(ThreadLines.of(threads));
        partner.show("/thread ID switches to one.");
    }

    private void history(String number) {
        int most = number.isEmpty() ? LISTED : positive(number);
        ThreadRecord record = talk.record().orElse(null);
        if (record == null) {
            partner.show("This thread has no messages yet.");
            return;
        }
        if (record.length() > most) {
            partner.show("the last " + most + " of " + record.length() + " messages");
        }
        talk.messages(record, most).forEach(message -> show(ThreadLines.of(message)));
    }

    private static int positive(String number) {
        try {
            int parsed = Integer.parseInt(number);
            if (parsed > 0) {
                return parsed;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new ConfigurationException(
                "/history takes a number of messages from 1 on, not '" + Visible.line(number, 100) + "'.");
    }

    private void agent(String id) {
        if (id.isEmpty()) {
            show(Table.lines(agents().map(entry -> List.of(
                            (entry.id().equals(talk.agent().id()) ? "* " : "  ") + entry.id(),
                            Visible.line(String.join(", then ", crew.models(entry)), 60),
                            Visible.line(entry.description(), 80)))
                    .toList()));
            partner.show("/agent ID has another one answer.");
            return;
        }
        AgentEntry entry = file.find(new Setting(id, new Position("/agent")));
        crew.agent(entry); // says why, if it cannot be built
        talk.answers(entry);
        partner.show(entry.id() + " answers from now on, in the same thread.");
    }

    private void model(String name) {
        if (name.isEmpty()) {
            show(Table.lines(agents().map(
                            entry -> List.of(entry.id(), Visible.line(String.join(", then ", crew.models(entry)), 100)))
                    .toList()));
            partner.show("/model provider/name has all agents use another one.");
            return;
        }
        tryModel.accept(one("/model", name));
        chat.continueWith(name);
        partner.show("All agents use " + Visible.line(name, 100) + " from now on, in the same thread.");
    }

    private Branches branches() {
        return new Branches(partner, talk, turns, runtime);
    }

    private void export(String name) {
        ThreadRecord record =
                talk.record().orElseThrow(() -> new ConfigurationException("This thread has no messages yet."));
        partner.show("Written to " + export.write(record, talk.messages(record, Long.MAX_VALUE), name) + ".");
    }

    private Stream<AgentEntry> agents() {
        return file.agents().values().stream();
    }

    private void show() {
        RunId last = turns.log()
                .last()
                .orElseThrow(() -> new ConfigurationException("Nothing was run in this chat yet. '"
                        + hints.command("runs --thread " + Hints.word(Visible.line(talk.thread(), 200)))
                        + "' lists what was run before."));
        partner.show("run " + last);
        show(RunStory.lines(runtime.history(last), runtime.handle(last).pendingApprovals(), hints));
    }

    private void usage() {
        show(turns.log().tally().lines());
    }

    private void resume() {
        List<RunRecord> unended = talk.unended();
        if (unended.isEmpty()) {
            partner.show("Every run of this thread has ended.");
        }
        for (RunRecord run : unended) {
            if (!file.agents().containsKey(run.agentId())) {
                throw new ConfigurationException("Run " + run.runId() + " is one of agent '"
                        + Visible.line(run.agentId(), 100) + "', which " + file.name() + " does not have.");
            }
            turns.resume(run);
        }
    }

    private void show(List<String> lines) {
        lines.forEach(partner::show);
    }
}

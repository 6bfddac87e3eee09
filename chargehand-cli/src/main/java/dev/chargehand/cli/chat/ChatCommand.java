package dev.chargehand.cli.chat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.live.LineEditor;
import dev.chargehand.cli.live.LiveTerminal;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.cli.runs.StartOptions;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.setup.RunRoot;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.StateFolder;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code chargehand chat}: talks with an agent of the file. */
@Command(
        name = "chat",
        description = "Chat with an agent. The conversation is kept in a thread and can be continued later.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "On a terminal, /help lists more commands. Without a terminal, each line of standard input is a message;",
            "answers go to standard output, everything else to standard error.",
            "",
            "Examples:",
            "  chargehand chat",
            "  chargehand chat --thread t1 --resource ann",
            "  printf '%%s\\n' 'What is a step?' 'And a run?' | chargehand chat > answers.md"
        })
public final class ChatCommand implements Callable<Integer> {

    private final Shell shell;

    @Mixin
    private StartOptions start = new StartOptions();

    public ChatCommand(Shell shell) {
        this.shell = shell;
    }

    /**
     * A part of the conversation, in which the agents have the same models.
     *
     * @param thread the thread, or null for a new one
     * @param model the model of all agents, or null for those of the file
     * @param first whether nothing was before it
     */
    private record Stretch(
            @Nullable String thread,
            AgentEntry agent,
            @Nullable Setting model,
            boolean first) {}

    @Override
    public Integer call() {
        start.begin();
        AgentsFile file = start.file(shell);
        Optional<Stretch> next =
                Optional.of(new Stretch(start.thread().orElse(null), start.entry(file), start.model(), true));
        AtomicReference<LineEditor.Choices> choices = new AtomicReference<>(words -> List.of());
        ChatPartner partner = start.watching()
                .live(shell)
                .map(terminal -> editor(terminal, file, words -> choices.get().after(words)))
                .<ChatPartner>map(LineEditorPartner::new)
                .orElseGet(() -> new PlainPartner(shell));
        TurnLog log = new TurnLog();
        while (next.isPresent()) {
            next = talk(file, next.get(), partner, choices, log);
        }
        if (shell.signals().isEnding()) {
            return ExitCode.CANCELLED;
        }
        return shell.terminal() == null ? log.exitCode() : ExitCode.COMPLETED;
    }

    private Optional<Stretch> talk(
            AgentsFile file,
            Stretch stretch,
            ChatPartner partner,
            AtomicReference<LineEditor.Choices> choices,
            TurnLog log) {
        try (Workspace workplace = start.workplace(shell, file, stretch.model())) {
            List<Agent> agents = workplace.crew().agents(stretch.agent());
            try (AgentRuntime runtime = workplace.runtime(start.open(shell, file, true), agents, wakeups(file))) {
                Hints hints = start.hints();
                TenantRuntime mine = start.tenant().of(runtime);
                start.requireVersions(file, mine);
                Conversation talk = new Conversation(
                        mine,
                        start.tenant().of(runtime.store()),
                        stretch.thread(),
                        start.resource().orElse(null),
                        stretch.agent(),
                        file.usual().map(AgentEntry::id).orElse(null),
                        hints);
                ChatTurns turns = new ChatTurns(
                        shell,
                        partner,
                        mine,
                        runtime::close,
                        agent -> workplace.showIndexing(
                                start.watching().output(shell, RunRoot.of(agent), Summary.OF_TURN)),
                        shell.user().isBlank() ? null : start.watching().dialogue(shell, null, partner.asked()),
                        hints,
                        log);
                Chat chat = new Chat(shell, partner, talk, turns, mine, this::set);
                SlashCommands commands = new SlashCommands(
                        chat,
                        partner,
                        talk,
                        turns,
                        mine,
                        file,
                        workplace.crew(),
                        hints,
                        new ThreadExport(shell.folder()),
                        model -> tryModel(file, talk.agent(), named(model)));
                choices.set(commands::after);
                if (stretch.first()) {
                    chat.welcome();
                }
                return chat.talk(commands).map(model -> new Stretch(talk.thread(), talk.agent(), named(model), false));
            }
        }
    }

    /** Background tasks are executed while the chat lasts; without them the user decides which run continues. */
    private static Wakeups wakeups(AgentsFile file) {
        return file.agents().values().stream().anyMatch(AgentEntry::startsTasks) ? Wakeups.own() : Wakeups.off();
    }

    private static Setting named(String model) {
        return new Setting(model, new Position("/model"));
    }

    /** Build the agent with another model, which fails if it cannot have it. */
    private void tryModel(AgentsFile file, AgentEntry entry, Setting model) {
        try (Workspace trial = start.workplace(shell, file, model)) {
            trial.crew().agents(entry);
        }
    }

    private LineEditor editor(LiveTerminal terminal, AgentsFile file, LineEditor.Choices choices) {
        LineEditor editor = terminal.editor(
                start.watching().look(shell),
                TypedHistory.in(StateFolder.of(file)),
                choices,
                () -> shell.signals().interrupt(),
                () -> shell.signals().end());
        shell.signals().stay(editor::stop);
        return editor;
    }

    private void set(Conversation talk, RunOptions.Builder options) {
        options.thread(talk.thread());
        start.requester(shell, options);
        start.selectVersions(options);
    }
}

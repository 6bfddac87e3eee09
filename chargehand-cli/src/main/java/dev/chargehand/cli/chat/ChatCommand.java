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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
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

    @Override
    public Integer call() {
        start.begin();
        AgentsFile file = start.file(shell);
        AgentEntry entry = start.entry(file);
        try (Workspace workplace = start.workplace(shell, file)) {
            List<Agent> agents = workplace.crew().agents(entry);
            try (AgentRuntime runtime = workplace.runtime(start.open(shell, file, true), agents, Wakeups.off())) {
                return talk(file, entry, workplace, runtime);
            }
        }
    }

    private int talk(AgentsFile file, AgentEntry entry, Workspace workplace, AgentRuntime runtime) {
        Hints hints = start.hints();
        TenantRuntime mine = start.tenant().of(runtime);
        Conversation talk = new Conversation(
                mine,
                start.tenant().of(runtime.store()),
                start.thread().orElse(null),
                start.resource().orElse(null),
                entry,
                file.usual().map(AgentEntry::id).orElse(null),
                hints);
        AtomicReference<LineEditor.Choices> choices = new AtomicReference<>(words -> List.of());
        Optional<LineEditor> editor = start.watching()
                .live(shell)
                .map(terminal -> editor(terminal, file, words -> choices.get().after(words)));
        ChatPartner partner = editor.<ChatPartner>map(LineEditorPartner::new).orElseGet(() -> new PlainPartner(shell));
        ChatTurns turns = new ChatTurns(
                shell,
                partner,
                mine,
                runtime::close,
                agent -> workplace.showIndexing(start.watching().output(shell, RunRoot.of(agent), Summary.OF_TURN)),
                shell.user().isBlank() ? null : start.watching().dialogue(shell, null, partner.asked()),
                hints);
        Chat chat = new Chat(shell, partner, talk, turns, mine, this::set);
        SlashCommands commands = new SlashCommands(chat, partner, talk, turns, mine, file, workplace.crew(), hints);
        choices.set(commands::after);
        chat.talk(commands);
        if (shell.signals().isEnding()) {
            return ExitCode.CANCELLED;
        }
        return shell.terminal() == null ? turns.exitCode() : ExitCode.COMPLETED;
    }

    private LineEditor editor(LiveTerminal terminal, AgentsFile file, LineEditor.Choices choices) {
        LineEditor editor = terminal.editor(
                start.watching().look(shell), TypedHistory.in(StateFolder.of(file)), choices, () -> shell.signals()
                        .interrupt());
        shell.signals().stay(editor::stop);
        return editor;
    }

    private void set(Conversation talk, RunOptions.Builder options) {
        options.thread(talk.thread());
        start.requester(shell, options);
        start.selectVersions(options);
    }
}

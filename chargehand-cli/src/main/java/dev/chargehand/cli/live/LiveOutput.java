package dev.chargehand.cli.live;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.cli.output.PrettyJson;
import dev.chargehand.cli.output.ProgressLines;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.output.Summary;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * Shows a run on a terminal: permanent lines of the history, then the current activity of each agent and the answer as
 * it is written, finally the formatted answer.
 *
 * <p>While no agent is running nothing is painted, so that the user can be asked. Its events come from one thread;
 * another one advances the clock.
 */
public final class LiveOutput implements RunOutput {

    private static final Duration BETWEEN_PAINTS = Duration.ofMillis(100);

    /** The gap after the time at the start of a line. */
    private static final int HANGING = 11;

    private final Screen screen;
    private final Look look;
    private final InstantSource clock;
    private final ProgressLines progress;
    private final Board board;
    private final Summary summary;
    private String cutOff = "";
    private final ScheduledExecutorService ticker;

    /**
     * Create the output of one run, and of its continuation after answers.
     *
     * @param widest how many characters the longest agent path has
     * @param prices what models cost; without prices no cost is shown
     */
    public LiveOutput(Screen screen, Look look, InstantSource clock, int widest, Prices prices, Summary summary) {
        this.summary = summary;
        this.screen = screen;
        this.look = look;
        this.clock = clock;
        this.progress = new ProgressLines(widest);
        this.board = new Board(look, prices);
        this.ticker = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("terminal").factory());
        long millis = BETWEEN_PAINTS.toMillis();
        var unused = ticker.scheduleWithFixedDelay(this::tick, millis, millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized boolean event(RunEvent event) {
        if (event instanceof RunEvent.RunFinish finish && finish.status() == RunStatus.ABORTED) {
            cutOff = board.answer().orElse(cutOff);
        }
        board.event(event);
        Optional<String> line = progress.of(event);
        if (!isDelta(event)) {
            paint(line.map(text -> wrapped(text, style(event))).orElse(List.of()));
        }
        return true;
    }

    /** What comes so often waits for the next tick. */
    private static boolean isDelta(RunEvent event) {
        return event instanceof RunEvent.TextDelta
                || event instanceof RunEvent.ReasoningDelta
                || event instanceof RunEvent.ToolCallDelta
                || event instanceof RunEvent.PartialObject;
    }

    @Override
    public synchronized void note(String line) {
        paint(wrapped(line, look.faint()));
    }

    @Override
    public synchronized void ended(RunResult result) {
        List<AttributedString> lines = new ArrayList<>();
        boolean answered = result.status() == RunStatus.COMPLETED || result.status() == RunStatus.INCOMPLETE;
        Optional<Json> object = result.object();
        if (answered && (object.isPresent() || !result.text().isBlank())) {
            lines.add(AttributedString.EMPTY);
            lines.addAll(object.map(this::written).orElseGet(() -> page(result.text())));
            lines.add(AttributedString.EMPTY);
        } else if (!cutOff.isBlank()) {
            lines.add(AttributedString.EMPTY);
            lines.addAll(page(cutOff + look.ellipsis()));
            lines.add(AttributedString.EMPTY);
        }
        lines.addAll(summed(result));
        screen.paint(lines, List.of());
        ticker.shutdownNow();
    }

    @Override
    public synchronized void failed(RunFailedException failure) {
        screen.paint(summed(failure.result()), List.of());
        ticker.shutdownNow();
    }

    @Override
    public synchronized void close() {
        screen.paint(List.of(), List.of());
        ticker.shutdownNow();
    }

    private synchronized void tick() {
        if (!board.isEmpty() && !ticker.isShutdown()) {
            paint(List.of());
        }
    }

    private void paint(List<AttributedString> stay) {
        int columns = screen.columns();
        int rows = screen.rows();
        List<AttributedString> agents = board.lines(clock.instant(), columns, Math.max(2, rows / 2));
        List<AttributedString> below = new ArrayList<>(board.answer()
                .map(text -> latest(page(text), rows - agents.size() - 2))
                .orElse(List.of()));
        below.addAll(agents);
        screen.paint(stay, below);
    }

    private static List<AttributedString> latest(List<AttributedString> page, int most) {
        List<AttributedString> shown = page.subList(Math.max(0, page.size() - Math.max(1, most)), page.size());
        List<AttributedString> apart = new ArrayList<>(shown);
        apart.add(AttributedString.EMPTY);
        return apart;
    }

    private List<AttributedString> page(String text) {
        return new MarkdownLines(look, screen.columns()).of(Visible.text(text.strip()));
    }

    private List<AttributedString> written(Json object) {
        return PrettyJson.lines(object).stream()
                .flatMap(line -> wrapped(line, AttributedStyle.DEFAULT).stream())
                .toList();
    }

    private List<AttributedString> summed(RunResult result) {
        StringWriter text = new StringWriter();
        summary.print(new PrintWriter(text), result, progress.working(), progress.waited());
        AttributedStyle style =
                result.status() == RunStatus.COMPLETED ? look.faint() : look.colour(AttributedStyle.YELLOW);
        return text.toString()
                .lines()
                .flatMap(line -> wrapped(line, style).stream())
                .toList();
    }

    private List<AttributedString> wrapped(String line, AttributedStyle style) {
        String shown = look.unicode() ? line : line.replace("…", look.ellipsis());
        int columns = screen.columns();
        return Look.wrap(
                new AttributedString(shown, style),
                AttributedString.EMPTY,
                new AttributedString(" ".repeat(BrokenLines.fitting(shown, columns, HANGING))),
                columns);
    }

    private AttributedStyle style(RunEvent event) {
        return switch (event) {
            case RunEvent.ToolError ignored -> look.colour(AttributedStyle.RED);
            case RunEvent.HookError ignored -> look.colour(AttributedStyle.RED);
            case RunEvent.StepRetry ignored -> look.colour(AttributedStyle.YELLOW);
            case RunEvent.MemoryProblem ignored -> look.colour(AttributedStyle.YELLOW);
            case RunEvent.DelegationRejected ignored -> look.colour(AttributedStyle.YELLOW);
            case RunEvent.ToolOutputDenied ignored -> look.colour(AttributedStyle.YELLOW);
            case RunEvent.ToolCallApproval ignored -> look.colour(AttributedStyle.YELLOW);
            case RunEvent.ToolCallSuspended ignored -> look.colour(AttributedStyle.YELLOW);
            case RunEvent.DelegationEnd e ->
                e.status() == RunStatus.COMPLETED
                        ? look.colour(AttributedStyle.GREEN)
                        : look.colour(AttributedStyle.YELLOW);
            case RunEvent.ScoringComplete e ->
                look.colour(e.complete() ? AttributedStyle.GREEN : AttributedStyle.YELLOW);
            case RunEvent.DelegationStart ignored -> look.colour(AttributedStyle.CYAN);
            default -> AttributedStyle.DEFAULT;
        };
    }
}

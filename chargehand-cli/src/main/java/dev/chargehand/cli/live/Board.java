package dev.chargehand.cli.live;

import dev.chargehand.cli.output.Amounts;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;

/**
 * The agents that are running, as a tree: what each does now, for how long, and what it has used. Used by one thread.
 */
final class Board {

    /** From how many columns on there is room for tokens. */
    private static final int WIDE = 80;

    private final Look look;
    private final Prices prices;
    private final Map<RunId, Member> members = new LinkedHashMap<>();
    private Usage endedUsage = Usage.NONE;
    private BigDecimal endedCost = BigDecimal.ZERO;

    Board(Look look, Prices prices) {
        this.look = look;
        this.prices = prices;
    }

    /** Return whether an agent is running. */
    boolean isEmpty() {
        return members.isEmpty();
    }

    void event(RunEvent event) {
        switch (event) {
            case RunEvent.RunStart e -> begins(e.runId(), new Member(e.agentId(), e.parentRunId(), e.time()));
            case RunEvent.RunResume e -> begins(e.runId(), new Member(e.agentId(), parentOf(e), e.time()));
            case RunEvent.RunFinish e -> ends(e.runId());
            case RunEvent.RunSuspend e -> ends(e.runId());
            case RunEvent.RunReleased e -> ends(e.runId());
            default -> {
                Member member = members.get(event.runId());
                if (member != null) {
                    member.event(event, prices);
                }
            }
        }
    }

    private void begins(RunId runId, Member member) {
        members.put(runId, member);
    }

    /** The start of a resumed run does not name its parent; its path does. */
    private @Nullable RunId parentOf(RunEvent.RunResume event) {
        List<String> path = event.path().segments();
        return path.size() == 1
                ? null
                : members.entrySet().stream()
                        .filter(entry -> entry.getValue().agentId().equals(path.get(path.size() - 2)))
                        .map(Map.Entry::getKey)
                        .reduce((first, second) -> second)
                        .orElse(null);
    }

    private void ends(RunId runId) {
        Member member = members.remove(runId);
        if (member != null) {
            endedUsage = endedUsage.plus(member.usage());
            endedCost = endedCost.add(member.cost());
        }
    }

    /** Return the answer of the top agent so far, if it is writing. */
    Optional<String> answer() {
        return members.values().stream()
                .findFirst()
                .filter(Member::isAtWork)
                .map(Member::text)
                .filter(text -> !text.isBlank());
    }

    /** Return the tree and a line of totals. */
    List<AttributedString> lines(Instant now, int columns, int rows) {
        if (members.isEmpty()) {
            return List.of();
        }
        List<Row> tree = new ArrayList<>();
        members.forEach((runId, member) -> {
            if (member.parent() == null || !members.containsKey(member.parent())) {
                tree.add(new Row("", member));
                below(runId, "", tree);
            }
        });
        int widest = tree.stream()
                .mapToInt(row -> row.prefix().length() + row.member().agentId().length())
                .max()
                .orElse(0);
        List<AttributedString> lines = new ArrayList<>();
        int most = Math.max(1, rows - 1);
        for (Row row : tree.subList(0, Math.min(most, tree.size()))) {
            lines.add(look.fit(line(row, widest, now, columns), columns));
        }
        if (tree.size() > most) {
            lines.set(
                    most - 1,
                    new AttributedString(
                            look.ellipsis() + " and " + Amounts.count(tree.size() - most + 1, "more agent"),
                            look.faint()));
        }
        lines.add(look.fit(totals(now), columns));
        return lines;
    }

    private record Row(String prefix, Member member) {}

    private void below(RunId above, String indent, List<Row> to) {
        List<Map.Entry<RunId, Member>> children = members.entrySet().stream()
                .filter(entry -> above.equals(entry.getValue().parent()))
                .toList();
        for (int i = 0; i < children.size(); i++) {
            boolean last = i == children.size() - 1;
            Map.Entry<RunId, Member> child = children.get(i);
            to.add(new Row(indent + look.branch(last), child.getValue()));
            below(child.getKey(), indent + look.beside(last), to);
        }
    }

    private AttributedString line(Row row, int widest, Instant now, int columns) {
        Member member = row.member();
        String name = member.agentId();
        String gap = " ".repeat(widest - row.prefix().length() - name.length());
        AttributedStringBuilder line = new AttributedStringBuilder();
        line.append(row.prefix(), look.faint());
        line.append(
                member.isAtWork() ? look.atWork() : look.waiting(),
                look.colour(member.isTroubled() ? AttributedStyle.YELLOW : AttributedStyle.GREEN));
        line.append(" ").append(name, look.strong()).append(gap);
        line.append(passed(member.since(), now), look.faint());
        if (columns >= WIDE) {
            line.append(String.format(Locale.ROOT, "  %13s", Amounts.shortTokens(member.usage())));
        }
        line.append("  ")
                .append(
                        member.doing(),
                        member.isTroubled() ? look.colour(AttributedStyle.YELLOW) : AttributedStyle.DEFAULT);
        return line.toAttributedString();
    }

    private AttributedString totals(Instant now) {
        Usage usage = endedUsage;
        BigDecimal cost = endedCost;
        Instant startedAt = now;
        for (Member member : members.values()) {
            usage = usage.plus(member.usage());
            cost = cost.add(member.cost());
            startedAt = member.since().isBefore(startedAt) ? member.since() : startedAt;
        }
        String price = cost.signum() == 0 ? "" : ", cost " + Amounts.cost(cost);
        return new AttributedString(
                passed(startedAt, now).strip() + ", " + Amounts.tokens(usage) + price + "; Ctrl-C cancels",
                look.faint());
    }

    private static String passed(Instant since, Instant now) {
        return String.format(Locale.ROOT, "%7s", Amounts.passed(Duration.between(since, now)));
    }
}

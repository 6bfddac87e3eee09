package dev.chargehand.cli.chat;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.cli.output.Amounts;
import dev.chargehand.cli.output.RunOutput;
import dev.chargehand.cli.output.Table;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.Prices;
import dev.chargehand.run.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what the runs of a conversation use. Used by one thread. */
final class UsageTally {

    private final Map<String, Usage> agents = new LinkedHashMap<>();
    private BigDecimal cost = BigDecimal.ZERO;
    private int turns;

    /** Return what shows a run and counts it. */
    RunOutput of(RunOutput shown, Prices prices) {
        return new Counting(shown, prices);
    }

    /** Return a line for each agent, and one for all. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        Usage all = agents.values().stream().reduce(Usage.NONE, Usage::plus);
        lines.add(Amounts.count(turns, "turn") + " in this chat: " + Amounts.tokens(all)
                + (cost.signum() == 0 ? "" : ", cost " + Amounts.cost(cost)));
        if (agents.size() > 1) {
            Table.lines(agents.entrySet().stream()
                            .map(entry -> List.of(Visible.line(entry.getKey(), 60), Amounts.tokens(entry.getValue())))
                            .toList())
                    .forEach(line -> lines.add("  " + line));
        }
        return lines;
    }

    private final class Counting implements RunOutput {

        private final RunOutput shown;
        private final Prices prices;

        Counting(RunOutput shown, Prices prices) {
            this.shown = shown;
            this.prices = prices;
        }

        @Override
        public boolean event(RunEvent event) {
            if (event instanceof RunEvent.UsageReport report) {
                agents.merge(event.path().leaf(), report.usage(), Usage::plus);
                cost = cost.add(prices.costOf(report.model(), report.usage()));
            }
            return shown.event(event);
        }

        @Override
        public void note(String line) {
            shown.note(line);
        }

        @Override
        public void ended(RunResult result) {
            turns++;
            shown.ended(result);
        }

        @Override
        public void failed(RunFailedException failure) {
            turns++;
            shown.failed(failure);
        }

        @Override
        public void close() {
            shown.close();
        }
    }
}

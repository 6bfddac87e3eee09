package dev.chargehand.internal.limit;

import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.StopReason;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts what a tree of runs spends, against its limits and its budget. One per root run, shared by all descendants.
 *
 * <p>A model call is reserved before it is made; its tokens and cost are debited after, so the overshoot is at most
 * the calls in flight. Thread-safe.
 */
public final class Ledger {

    private final Limits limits;
    private final Budget budget;
    private final long mostOutput;
    private final AtomicInteger modelCalls = new AtomicInteger();
    private final AtomicInteger toolCalls = new AtomicInteger();
    private final AtomicBoolean toolCallRefused = new AtomicBoolean();
    private final AtomicLong outputCharacters = new AtomicLong();
    private final AtomicLong tokens = new AtomicLong();
    private final AtomicReference<BigDecimal> cost = new AtomicReference<>(BigDecimal.ZERO);

    /** Opens a ledger with nothing spent. */
    public Ledger(Limits limits, Budget budget) {
        this.limits = limits;
        this.budget = budget;
        this.mostOutput = limits.get(Limit.OUTPUT_CHARACTERS);
    }

    /** Enters what was spent before this process took the run up. */
    public void enter(
            int earlierModelCalls, int earlierToolCalls, long earlierOutput, long earlierTokens, BigDecimal c) {
        modelCalls.addAndGet(earlierModelCalls);
        toolCalls.addAndGet(earlierToolCalls);
        outputCharacters.addAndGet(earlierOutput);
        debit(earlierTokens, c);
    }

    /** Reserves one model call; returns why it may not be made, if so. */
    public Optional<StopReason> reserveModelCall() {
        Optional<StopReason> spent = spentOut();
        if (spent.isEmpty()) {
            if (modelCalls.incrementAndGet() <= mostModelCalls()) {
                return Optional.empty();
            }
            modelCalls.decrementAndGet();
            return Optional.of(modelCallsSpent());
        }
        return spent;
    }

    /** Reserves one tool call; tells whether it may be made. */
    public boolean reserveToolCall() {
        if (toolCalls.incrementAndGet() <= limits.get(Limit.TOOL_CALLS)) {
            return true;
        }
        toolCalls.decrementAndGet();
        toolCallRefused.set(true);
        return false;
    }

    /** Counts characters that a model wrote; tells whether it may go on writing. */
    public boolean addOutput(long characters) {
        return outputCharacters.addAndGet(characters) <= mostOutput;
    }

    /** Debits what a model call used. */
    public void debit(long usedTokens, BigDecimal usedCost) {
        tokens.addAndGet(usedTokens);
        if (usedCost.signum() != 0) {
            cost.accumulateAndGet(usedCost, BigDecimal::add);
        }
    }

    /** Returns why no further model call may be made, if so. */
    public Optional<StopReason> spentOut() {
        if (outputCharacters.get() > mostOutput) {
            return Optional.of(new StopReason.LimitReached(Limit.OUTPUT_CHARACTERS.key()));
        }
        if (toolCallRefused.get()) {
            return Optional.of(new StopReason.LimitReached(Limit.TOOL_CALLS.key()));
        }
        if (budget.tokens() != null && tokens.get() >= budget.tokens()) {
            return Optional.of(new StopReason.BudgetExhausted("tokens"));
        }
        if (budget.cost() != null && cost.get().compareTo(budget.cost()) >= 0) {
            return Optional.of(new StopReason.BudgetExhausted("cost"));
        }
        return modelCalls.get() >= mostModelCalls() ? Optional.of(modelCallsSpent()) : Optional.empty();
    }

    private long mostModelCalls() {
        long most = limits.get(Limit.MODEL_CALLS);
        return budget.calls() == null ? most : Math.min(most, budget.calls());
    }

    private StopReason modelCallsSpent() {
        return budget.calls() != null && budget.calls() <= limits.get(Limit.MODEL_CALLS)
                ? new StopReason.BudgetExhausted("calls")
                : new StopReason.LimitReached(Limit.MODEL_CALLS.key());
    }
}

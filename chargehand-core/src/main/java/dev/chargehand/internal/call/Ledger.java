package dev.chargehand.internal.call;

import dev.chargehand.run.Budget;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Limits;
import dev.chargehand.run.StopReason;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Counts what a tree of runs spends, against its limits and its budget. One per root run, shared by all descendants.
 *
 * <p>A model call is reserved before it is made; its tokens and cost are debited after, so the overshoot is at most
 * the calls in flight. Thread-safe.
 */
public final class Ledger {

    /** How the sentence for a call ends that the limit of tool calls rejects; a run that is resumed knows it by that. */
    public static final String TOOL_CALLS_USED = " tool calls of the run are used; this one was not executed.";

    private final Limits limits;
    private final Budget budget;
    private final long mostOutput;
    private final Set<String> withoutPrice = new HashSet<>(0);
    private int modelCalls;
    private int toolCalls;
    private long workflowCalls;
    private boolean toolCallRejected;
    private long outputCharacters;
    private long tokens;
    private BigDecimal cost = BigDecimal.ZERO;

    /** Open a ledger with nothing spent. */
    public Ledger(Limits limits, Budget budget) {
        this.limits = limits;
        this.budget = budget;
        this.mostOutput = limits.get(Limit.OUTPUT_CHARACTERS);
    }

    /** Enter what was spent before this process took the run up. */
    public synchronized void enter(
            int earlierModelCalls, int earlierToolCalls, long earlierOutput, long earlierTokens, BigDecimal c) {
        modelCalls += earlierModelCalls;
        toolCalls += earlierToolCalls;
        outputCharacters += earlierOutput;
        debit(earlierTokens, c);
    }

    /** Reserve one model call; returns why it may not be made, if so. */
    public synchronized Optional<StopReason> reserveModelCall() {
        Optional<StopReason> spent = spentOut();
        if (spent.isEmpty()) {
            modelCalls++;
        }
        return spent;
    }

    /** Reserve one tool call; return whether it may be made. */
    public synchronized boolean reserveToolCall() {
        if (toolCalls >= limits.get(Limit.TOOL_CALLS)) {
            toolCallRejected = true;
            return false;
        }
        toolCalls++;
        return true;
    }

    /** Enter that a tool call was rejected before this process claimed the run. */
    public synchronized void enterRejectedToolCall() {
        toolCallRejected = true;
    }

    /** Reserve calls of steps of a workflow; return whether they may be made. */
    public synchronized boolean reserveWorkflowCalls(int calls) {
        if (calls > limits.get(Limit.WORKFLOW_CALLS) - workflowCalls) {
            return false;
        }
        workflowCalls += calls;
        return true;
    }

    /** Enter calls of steps of a workflow that were planned before this process executes the tree. */
    public synchronized void enterWorkflowCalls(long calls) {
        workflowCalls += calls;
    }

    /** Count characters that a model wrote; return whether it may continue writing. */
    public synchronized boolean addOutput(long characters) {
        outputCharacters += characters;
        return outputCharacters <= mostOutput;
    }

    /**
     * Debit what a background task may use from now on: its own budget if that is left, else what is left; half of that for a part
     * of which the task has no bound of its own, since the run has to continue.
     *
     * @return nothing if there is nothing left
     */
    public synchronized Optional<Budget> grant(Budget own) {
        if (spentOut().isPresent()) {
            return Optional.empty();
        }
        Long grantedTokens = own.tokens();
        if (budget.tokens() != null) {
            long left = budget.tokens() - tokens;
            grantedTokens = own.tokens() == null ? Math.max(1, left / 2) : Math.min(left, own.tokens());
        }
        BigDecimal grantedCost = own.cost();
        if (budget.cost() != null) {
            BigDecimal left = budget.cost().subtract(cost);
            grantedCost = own.cost() == null ? left.divide(BigDecimal.TWO) : left.min(own.cost());
        }
        Integer grantedCalls = own.calls();
        if (budget.calls() != null) {
            int left = budget.calls() - modelCalls;
            grantedCalls = own.calls() == null
                    ? Integer.valueOf(Math.max(1, left / 2))
                    : Integer.valueOf(Math.min(left, own.calls()));
        }
        Duration wallTime = budget.wallTime() == null
                        || (own.wallTime() != null && own.wallTime().compareTo(budget.wallTime()) < 0)
                ? own.wallTime()
                : budget.wallTime();
        Budget granted = new Budget(grantedTokens, grantedCost, wallTime, grantedCalls);
        take(granted);
        return Optional.of(granted);
    }

    /** Debit a grant; only what has a bound is counted. */
    public synchronized void take(Budget granted) {
        if (budget.tokens() != null && granted.tokens() != null) {
            debit(granted.tokens(), BigDecimal.ZERO);
        }
        if (budget.cost() != null && granted.cost() != null) {
            debit(0, granted.cost());
        }
        if (budget.calls() != null && granted.calls() != null) {
            modelCalls += granted.calls();
        }
    }

    /** Return to the budget what a background task has not used of its grant. */
    public synchronized void giveBack(Budget granted, long usedTokens, BigDecimal usedCost) {
        if (budget.tokens() != null && granted.tokens() != null) {
            tokens -= Math.max(0, granted.tokens() - usedTokens);
        }
        if (budget.cost() != null && granted.cost() != null) {
            cost = cost.subtract(granted.cost().subtract(usedCost).max(BigDecimal.ZERO));
        }
    }

    /** Return whether the budget bounds the number of model calls. */
    public boolean boundsCalls() {
        return budget.calls() != null;
    }

    /** Return whether calls of a model without a price are to be reported: the cost is bounded, and they were not reported before. */
    public synchronized boolean reportsWithoutPrice(String model) {
        return budget.cost() != null && withoutPrice.add(model);
    }

    /** Debit what a model call used. */
    public synchronized void debit(long usedTokens, BigDecimal usedCost) {
        tokens = usedTokens > Long.MAX_VALUE - tokens ? Long.MAX_VALUE : tokens + usedTokens;
        cost = cost.add(usedCost);
    }

    /** Return why no further model call may be made, if so. */
    public synchronized Optional<StopReason> spentOut() {
        if (outputCharacters > mostOutput) {
            return Optional.of(new StopReason.LimitReached(Limit.OUTPUT_CHARACTERS.key()));
        }
        if (toolCallRejected) {
            return Optional.of(new StopReason.LimitReached(Limit.TOOL_CALLS.key()));
        }
        if (budget.tokens() != null && tokens >= budget.tokens()) {
            return Optional.of(new StopReason.BudgetExhausted("tokens"));
        }
        if (budget.cost() != null && cost.compareTo(budget.cost()) >= 0) {
            return Optional.of(new StopReason.BudgetExhausted("cost"));
        }
        return modelCalls >= mostModelCalls() ? Optional.of(modelCallsSpent()) : Optional.empty();
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

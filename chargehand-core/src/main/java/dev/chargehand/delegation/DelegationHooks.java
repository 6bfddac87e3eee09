package dev.chargehand.delegation;

import dev.chargehand.message.Message;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of the options for delegations that is code; each is null for none.
 *
 * @param onDelegationStart decides about each delegation before it begins
 * @param messageFilter chooses what the sub-agent sees of the conversation, after {@code subAgentFilter}
 * @param subAgentFilter the filter of {@link SubAgentContext}
 * @param observeDelegationStart hears of each delegation that begins
 * @param onDelegationComplete decides about each result
 */
public record DelegationHooks(
        @Nullable Function<DelegationStartContext, DelegationDecision> onDelegationStart,
        @Nullable Function<MessageFilterContext, List<Message>> messageFilter,
        @Nullable Predicate<Message> subAgentFilter,
        @Nullable Consumer<DelegationStartContext> observeDelegationStart,
        @Nullable Function<DelegationCompleteContext, DelegationVerdict> onDelegationComplete) {

    /** No hooks. */
    public static final DelegationHooks NONE = new DelegationHooks(null, null, null, null, null);
}

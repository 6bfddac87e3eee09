package dev.chargehand.internal.memory.side;

import dev.chargehand.run.Usage;

/**
 * What a model answered besides the conversation.
 *
 * @param model its name
 * @param text without secrets; not empty, but for a {@link SideMeter}
 * @param isComplete whether the model ended it by itself
 */
public record SideAnswer(String model, String text, boolean isComplete, Usage usage) {}

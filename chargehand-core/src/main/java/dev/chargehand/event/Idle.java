package dev.chargehand.event;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.background.IdleReason;

/**
 * An until-idle call is over: the last event of its stream, with the origin of its first turn. It is not stored.
 *
 * @param reason why it is over
 * @param turns how many turns it had
 * @param tasks how many background tasks it had
 */
@Experimental
public record Idle(Origin origin, IdleReason reason, int turns, int tasks) implements RunEvent.OfTask {}

package dev.chargehand.background;

import dev.chargehand.annotation.Experimental;

/** Which events of background tasks an until-idle stream has. */
@Experimental
public enum Tasks {
    /** Those that say how each task stands: its start, its progress, its waits and its end. */
    STATES,
    /** All events of the runs of the tasks, with those of their nested runs, as those of the turns. */
    ALL
}

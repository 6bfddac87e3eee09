/**
 * The agents, the runtime that runs them, the options of a run and its result.
 *
 * <p>Start with {@link dev.chargehand.Agent}.
 */
@NullMarked
package dev.chargehand;

import org.jspecify.annotations.NullMarked;

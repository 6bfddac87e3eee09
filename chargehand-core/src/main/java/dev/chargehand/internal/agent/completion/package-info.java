/** Scoring of answers. */
@NullMarked
package dev.chargehand.internal.agent.completion;

import org.jspecify.annotations.NullMarked;

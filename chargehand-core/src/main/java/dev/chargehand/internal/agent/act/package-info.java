/** Opens and executes the calls of a step: guards, parking, tools, and the decisions that arrive meanwhile. */
@NullMarked
package dev.chargehand.internal.agent.act;

import org.jspecify.annotations.NullMarked;

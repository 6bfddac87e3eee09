/** The plans of killed runs, and the agents and models that follow them. */
@NullMarked
package dev.chargehand.verify.kill.plan;

import org.jspecify.annotations.NullMarked;

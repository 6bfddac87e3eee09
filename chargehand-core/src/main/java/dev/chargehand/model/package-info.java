/** The language model as Chargehand sees it: one blocking call that tells its deltas as they come. */
@NullMarked
package dev.chargehand.model;

import org.jspecify.annotations.NullMarked;

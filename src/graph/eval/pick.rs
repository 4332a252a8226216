//! Overloads: those of several definitions of one name that a call can mean, by its arguments.

use super::ancestors::same_type;
use super::*;

impl<'w> Eval<'w> {
    pub fn picked(&mut self, defs: &[Ref], args: Option<&[Value]>, asking: FileId) -> Targets {
        let picked = match args {
            Some(args) => self.pick(defs, args, asking),
            None => defs.to_vec(),
        };
        match picked.is_empty() {
            true => Targets::Unknown,
            false => Targets::Known(picked),
        }
    }

    /// Those of several definitions of one name that a call with these arguments can mean.
    pub fn pick(&mut self, defs: &[Ref], args: &[Value], asking: FileId) -> Vec<Ref> {
        if let Some(pick) = self.rules(asking).pick {
            return pick(self, defs, args);
        }
        if defs.len() < 2 {
            return defs.to_vec();
        }
        let fitting: Vec<Ref> = defs
            .iter()
            .copied()
            .filter(|&def| self.takes(def, args.len()))
            .collect();
        match fitting.len() {
            0 => vec![defs[0]],
            1 => fitting,
            _ => self.best(&fitting, args),
        }
    }

    /// Whether a definition can be called with that many arguments.
    pub fn takes(&mut self, def: Ref, count: usize) -> bool {
        let def = self.def(def);
        let least = def.params.iter().filter(|param| !param.optional).count();
        let variadic = def.is(flag::VARIADIC);
        count <= def.params.len() && count >= least || variadic && count + 1 >= least
    }

    /// The first of those that the arguments fit best.
    pub fn best(&mut self, defs: &[Ref], args: &[Value]) -> Vec<Ref> {
        let scored = defs.iter().map(|&def| (self.fit(def, args), def));
        let scored: Vec<(i32, Ref)> = scored.collect();
        let most = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
        let best = scored.iter().find(|(score, _)| *score == most);
        best.map(|(_, def)| *def).into_iter().collect()
    }

    /// How well arguments fit a definition's parameters: below zero where one cannot.
    pub fn fit(&mut self, def: Ref, args: &[Value]) -> i32 {
        let params = self.def(def).params.iter().zip(args);
        let fits = params.map(|(param, arg)| {
            let wanted = self.value_of_type(def.file, param.ty);
            self.fits(&wanted, arg)
        });
        let fits: Vec<i32> = fits.collect();
        match fits.iter().any(|fit| *fit < 0) {
            true => -1,
            false => fits.iter().sum(),
        }
    }

    /// How well a value fits where a type is wanted.
    pub fn fits(&mut self, wanted: &Value, given: &Value) -> i32 {
        if !wanted.known() || !given.known() || matches!(given, Value::Outside | Value::Param(..)) {
            return 0;
        }
        match (wanted, given) {
            (wanted, given) if same_type(wanted, given) => 4,
            (Value::Param(..), _) => 1,
            (_, Value::Alien(name, _)) if &**name == "null" => 1,
            (Value::Inst(..), Value::Inst(..)) => {
                let ancestors = self.ancestors(given);
                match ancestors.iter().any(|ancestor| same_type(ancestor, wanted)) {
                    true => 3,
                    false => -1,
                }
            }
            (Value::Function(..), Value::Lambda(..) | Value::Method(..)) => 2,
            (Value::Any(parts), given) => {
                let best = parts.iter().map(|part| self.fits(part, given)).max();
                best.unwrap_or(0)
            }
            _ => 0,
        }
    }
}

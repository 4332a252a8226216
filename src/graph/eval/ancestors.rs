//! A type and its bases in the order in which members are looked for.

use super::*;
use crate::graph::resolve::Order;

/// More bases than this are not looked at.
const MOST_BASES: usize = 64;

impl<'w> Eval<'w> {
    /// A value's type and all its bases, nearest first, with their arguments. Those outside of the tree are among them.
    pub fn ancestors(&mut self, of: &Value) -> Rc<[Value]> {
        if let Value::Object(file, scope) = of
            && let Some(base) = self.base_of_object(*file, *scope)
        {
            let bases = self.ancestors(&base);
            return std::iter::once(of).chain(bases.iter()).cloned().collect();
        }
        let Value::Inst(def, args) = of else {
            return Rc::from([of.clone()]);
        };
        let linear = match self.bases.get(def) {
            Some(known) => known.clone(),
            None => {
                let linear = self.linearize(*def);
                self.bases.insert(*def, linear.clone());
                linear
            }
        };
        if args.is_empty() || linear.len() == 1 {
            let mut linear = linear.to_vec();
            linear[0] = of.clone();
            return linear.into();
        }
        let parameters = self.parameters(*def);
        let bindings: generic::Bindings =
            parameters.into_iter().zip(args.iter().cloned()).collect();
        let mut seen: Vec<Value> = linear
            .iter()
            .map(|base| generic::substitute(base, &bindings, None, 0))
            .collect();
        seen[0] = of.clone();
        seen.into()
    }

    pub fn linearize(&mut self, def: Ref) -> Rc<[Value]> {
        let own = Value::inst(def);
        if !self.busy.insert((Busy::Bases, def.file, def.def)) {
            return Rc::from([own]);
        }
        let order = self.rules(def.file).order;
        let bases = self.direct_bases(def);
        let lines: Vec<Vec<Value>> = bases
            .iter()
            .map(|base| self.ancestors(base).to_vec())
            .collect();
        self.busy.remove(&(Busy::Bases, def.file, def.def));
        let mut line = vec![own];
        let add = |value: Value, line: &mut Vec<Value>| {
            if line.len() < MOST_BASES && !line.iter().any(|known| same_type(known, &value)) {
                line.push(value);
            }
        };
        match order {
            Order::Depth => lines
                .into_iter()
                .flatten()
                .for_each(|value| add(value, &mut line)),
            Order::Breadth => {
                let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
                for depth in 0..longest {
                    for value in lines.iter().filter_map(|line| line.get(depth)) {
                        add(value.clone(), &mut line);
                    }
                }
            }
            Order::C3 => merge(lines, bases.to_vec())
                .into_iter()
                .for_each(|value| add(value, &mut line)),
        }
        line.into()
    }

    pub fn direct_bases(&mut self, def: Ref) -> Vec<Value> {
        let mut bases = self
            .values_of_types(def.file, self.world.facts(def.file).def(def.def).bases)
            .to_vec();
        if self.rules(def.file).traits {
            for &(file, index) in self.extensions_of(def).iter() {
                if let Some(by) = self.facts(file).extensions[index as usize].by {
                    bases.push(self.value_of_type(file, by));
                }
            }
        }
        let parts = bases.iter().flat_map(|base| base.parts().to_vec());
        parts
            .filter(|base| matches!(base, Value::Inst(..) | Value::Alien(..) | Value::Outside))
            .collect()
    }
}

/// Python's merge: a candidate comes once no other line has it behind its head; where that fails, in order.
pub fn merge(mut lines: Vec<Vec<Value>>, bases: Vec<Value>) -> Vec<Value> {
    lines.push(bases);
    let mut merged = vec![];
    loop {
        lines.retain(|line| !line.is_empty());
        let Some(first) = lines.first().map(|line| line[0].clone()) else {
            return merged;
        };
        let good = |candidate: &Value| {
            lines
                .iter()
                .all(|line| !line[1..].iter().any(|value| same_type(value, candidate)))
        };
        let next = lines
            .iter()
            .map(|line| &line[0])
            .find(|candidate| good(candidate))
            .cloned()
            .unwrap_or(first);
        lines
            .iter_mut()
            .for_each(|line| line.retain(|value| !same_type(value, &next)));
        merged.push(next);
    }
}

/// Whether two values are of one type, whatever its arguments.
pub fn same_type(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Inst(one, _), Value::Inst(other, _)) => one == other,
        (Value::Alien(one, _), Value::Alien(other, _)) => one == other,
        (one, other) => one == other,
    }
}
